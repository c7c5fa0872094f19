package selector

import "math/bits"

// loadUnit is the shift that turns bytes of backlog into the units by which loads are compared, of 1 KiB: less is a matter of
// moments, and would only make the choice flutter.
const loadUnit = 10

// TwoOf returns the two channels, of n many, to which a key may go: a is the channel that owns its hash, as [Scale] says, and b is
// another one; with one channel both are 0. n must be at least 1. The two depend on hash and n alone, like keyed
// selection, and use all bits of the hash: the upper half chooses a, the lower half b.
func TwoOf(hash uint64, n int) (a, b int) {
	a = Scale(hash, n)
	b = Scale(bits.RotateLeft64(hash, 32), n-1)
	if b >= a && n > 1 {
		b++
	}
	return a, b
}

// TwoChoices chooses between two channels by load: "the power of two choices". The channels are those of a key, [TwoOf], so that the
// records of one key go to at most two channels; or two at random, [TwoChoices.Draw].
//
// The zero TwoChoices works, but always draws the same channels. A TwoChoices belongs to one writer and must not be used
// by two goroutines at a time.
type TwoChoices struct {
	random Random
	sent   []uint64 // records by channel; nil: not counted
}

// NewTwoChoices returns a TwoChoices that draws by seed and counts what goes to the channels 0 to channels−1, so that among equal
// loads the channel with fewer records wins. That is for the channels of keys. With channels 0 it does not count, and among equal
// loads the first wins, which is as good for channels that were drawn at random.
func NewTwoChoices(channels int, seed uint64) TwoChoices {
	t := TwoChoices{random: SeedRandom(seed)}
	if channels > 0 {
		t.sent = make([]uint64, channels)
	}
	return t
}

// Draw returns two different channels at random, of n many; with one channel both are 0. n must be at least 1.
func (t *TwoChoices) Draw(n int) (a, b int) { return TwoOf(t.random.next(), n) }

// Choose returns a or b, the one with the smaller backlog, in whole units of 1 KiB. Among equals it is the one that was chosen less
// often by this TwoChoices so far, or a if it does not count. Backlogs are in bytes. The channels must be among those that are counted.
func (t *TwoChoices) Choose(a, b int, backlogA, backlogB int64) int {
	backlogA >>= loadUnit
	backlogB >>= loadUnit
	if t.sent == nil {
		if backlogB < backlogA {
			return b
		}
		return a
	}
	if backlogB < backlogA || backlogB == backlogA && t.sent[b] < t.sent[a] {
		a = b
	}
	t.sent[a]++
	return a
}
