package selector

import (
	"math/rand/v2"
	"sync/atomic"
)

// RoundRobin returns a selector that goes through all channels in turn, starting at a random one so that many producers do
// not start together.
func RoundRobin[T any]() Selector[T] { return &cycling[T]{kind: KindRebalance} }

// Rescale returns a selector that goes in turn through the producer's own share of the channels, which is [RescaleRange],
// starting at a random one of them.
func Rescale[T any]() Selector[T] { return &cycling[T]{kind: KindRescale} }

type cycling[T any] struct {
	use
	kind   Kind
	seed   seed
	cursor Cursor
}

func (s *cycling[T]) Kind() Kind { return s.kind }

func (s *cycling[T]) Seed(n uint64) { s.seed.set(n) }

func (s *cycling[T]) Setup(t Topology) error {
	if err := s.setup(t, XXH3); err != nil {
		return err
	}
	lo, hi := 0, t.Consumers
	if s.kind == KindRescale {
		lo, hi = RescaleRange(t)
	}
	s.cursor = NewCursor(lo, hi, int(s.seed.at(t)>>1))
	return nil
}

func (s *cycling[T]) Select(*T, int) int { return s.cursor.Next() }

// Shuffle returns a selector that draws a channel at random for each record.
func Shuffle[T any]() Selector[T] { return &shuffle[T]{} }

// ShuffleSeed is [Shuffle] with draws that follow from n and the producer's index alone, whatever seed the writer has.
func ShuffleSeed[T any](n uint64) Selector[T] { return &shuffle[T]{seed: seed{n: n, own: true}} }

type shuffle[T any] struct {
	use
	seed   seed
	source Random
}

func (s *shuffle[T]) Kind() Kind { return KindShuffle }

func (s *shuffle[T]) Seed(n uint64) { s.seed.set(n) }

func (s *shuffle[T]) Setup(t Topology) error {
	if err := s.setup(t, XXH3); err != nil {
		return err
	}
	s.source = SeedRandom(s.seed.at(t))
	return nil
}

func (s *shuffle[T]) Select(_ *T, channels int) int { return s.source.Channel(channels) }

// seed is what a selector that draws was told to start from: by its constructor, which is its own seed, or by its writer.
type seed struct {
	n     uint64
	own   bool
	given atomic.Pointer[uint64] // atomic, because two writers may try to get the selector at the same time
}

func (s *seed) set(n uint64) {
	if !s.own {
		s.given.Store(&n)
	}
}

// at returns the seed of the writer that stands at t: a random one if there is none.
func (s *seed) at(t Topology) uint64 {
	if s.own {
		return ProducerSeed(s.n, t.Producer)
	}
	if n := s.given.Load(); n != nil {
		return ProducerSeed(*n, t.Producer)
	}
	return rand.Uint64()
}
