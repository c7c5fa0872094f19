package harness

// A Tally is what a consumer saw: how many records, and a sum over their fields with different weights, so that exchanged fields
// change it.
type Tally struct {
	Count uint64
	Sum   uint64
}

// Add counts a record of the given weight.
func (t *Tally) Add(weight uint64) {
	t.Count++
	t.Sum += weight
}

// Merge adds what another consumer saw.
func (t *Tally) Merge(o Tally) {
	t.Count += o.Count
	t.Sum += o.Sum
}

// Numbers is the sum of the numbers below n, modulo 2⁶⁴.
func Numbers(n uint64) uint64 {
	if n%2 == 1 {
		return n * ((n - 1) / 2)
	}
	return n / 2 * (n - 1)
}

// Cycle is the sum of the first n elements of a sequence that repeats the given weights without end, modulo 2⁶⁴.
func Cycle(weights []uint64, n uint64) uint64 {
	var all, rest uint64
	for i, w := range weights {
		all += w
		if uint64(i) < n%uint64(len(weights)) {
			rest += w
		}
	}
	return n/uint64(len(weights))*all + rest
}

// Weigh is the weight of a text: its length and three of its bytes, which are enough to find it cut, shifted or exchanged without reading
// all of it.
func Weigh[T ~string | ~[]byte](s T) uint64 {
	if len(s) == 0 {
		return 0
	}
	return uint64(len(s)) + uint64(s[0])<<16 + uint64(s[len(s)/2])<<28 + uint64(s[len(s)-1])<<40
}
