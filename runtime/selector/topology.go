package selector

import (
	"errors"
	"fmt"
	"math/bits"
)

// ErrTopology says that a selection does not fit the number of producers and consumers.
var ErrTopology = errors.New("selector: topology does not fit")

// Topology says where a writer stands on its edge: the Producer-th of Producers writers that feed Consumers channels.
type Topology struct {
	Producers int // number of writers, at least 1
	Consumers int // number of channels, at least 1
	Producer  int // index of this writer, from 0 to Producers−1

	// MaxParallelism is the number of key groups of [Flink] selection, from 1 to [MaxKeyGroups], and at least Consumers: equal keys are in the
	// same group for as long as it stays the same, whatever the number of consumers. 0 is the default, see [Topology.KeyGroups].
	MaxParallelism int
}

// MaxKeyGroups is the greatest number of key groups, and so of consumers, under [Flink] selection.
const MaxKeyGroups = 1 << 15

const minDefaultKeyGroups = 1 << 7

// Validate returns an error that is [ErrTopology] if a number is out of range.
func (t Topology) Validate() error {
	switch {
	case t.Producers < 1:
		return fmt.Errorf("%d producers, at least 1 needed: %w", t.Producers, ErrTopology)
	case t.Consumers < 1:
		return fmt.Errorf("%d consumers, at least 1 needed: %w", t.Consumers, ErrTopology)
	case t.Producer < 0 || t.Producer >= t.Producers:
		return fmt.Errorf("producer %d of %d: %w", t.Producer, t.Producers, ErrTopology)
	case t.MaxParallelism < 0 || t.MaxParallelism > MaxKeyGroups:
		return fmt.Errorf("max parallelism %d, it must be from 1 to %d, or 0 for the default: %w", t.MaxParallelism, MaxKeyGroups, ErrTopology)
	case t.MaxParallelism != 0 && t.MaxParallelism < t.Consumers:
		return fmt.Errorf("max parallelism %d is less than the %d consumers: %w", t.MaxParallelism, t.Consumers, ErrTopology)
	}
	return nil
}

// ValidateFor returns the error of [Topology.Validate], or one that is [ErrTopology] if keyed selection by h does not fit: [Flink]
// needs a key group for each consumer, of which there are at most [MaxKeyGroups].
func (t Topology) ValidateFor(h Hash) error {
	if err := t.Validate(); err != nil {
		return err
	}
	if h == Flink && t.Consumers > t.KeyGroups() {
		return fmt.Errorf("%d consumers, at most %d can have a key group each: %w", t.Consumers, t.KeyGroups(), ErrTopology)
	}
	return nil
}

// KeyGroups returns the number of key groups in force: MaxParallelism, or if that is 0 the default that Flink takes, which is one and a
// half times the number of consumers, rounded up to a power of two, at least 128 and at most [MaxKeyGroups]. The default grows with
// the consumers: set MaxParallelism where their number is to change.
func (t Topology) KeyGroups() int {
	if t.MaxParallelism != 0 {
		return t.MaxParallelism
	}
	consumers := min(max(t.Consumers, 1), MaxKeyGroups)
	return min(max(roundUpToPowerOfTwo(consumers+consumers/2), minDefaultKeyGroups), MaxKeyGroups)
}

// roundUpToPowerOfTwo returns the smallest power of two that is at least n; n is at least 1.
func roundUpToPowerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }

// RescaleRange returns the channels that a rescaling writer uses: lo to hi−1, at least one. t must be valid.
//
// With at least as many consumers as producers, the ranges of the producers divide the channels among them, their sizes differing by
// at most one. With fewer consumers, neighbouring producers share one channel, and the numbers of producers per channel
// differ by at most one.
func RescaleRange(t Topology) (lo, hi int) {
	// In 64 bits, so that the product of two channel counts cannot overflow an int of 32.
	p, c, i := int64(t.Producers), int64(t.Consumers), int64(t.Producer)
	hi = int(((i+1)*c + p - 1) / p)
	lo = int((i*c + p - 1) / p)
	return min(lo, hi-1), hi
}

// ForwardChannel returns the one channel that a forwarding writer uses, which is its own index. The error is [ErrTopology]
// if t is not valid or the numbers of producers and consumers differ.
func ForwardChannel(t Topology) (int, error) {
	if err := t.Validate(); err != nil {
		return 0, err
	}
	if t.Producers != t.Consumers {
		return 0, fmt.Errorf("forward needs as many consumers as producers, not %d producers and %d consumers: %w",
			t.Producers, t.Consumers, ErrTopology)
	}
	return t.Producer, nil
}
