package selector

import (
	"errors"
	"math/rand/v2"
)

// errNilFunc is what Setup of a selector made from a nil function returns.
var errNilFunc = errors.New("selector: nil function")

// Key returns a selector that sends a record to the channel that owns its hash. hash is typically one of this package's Hash
// functions over a field of the record; it is called once a record and must not keep the pointer. Setup fails if hash is nil.
func Key[T any](hash func(*T) uint64) Selector[T] { return &keyed[T]{hash} }

type keyed[T any] struct{ hash func(*T) uint64 }

func (s *keyed[T]) Kind() Kind { return KindKeyed }

func (s *keyed[T]) Setup(t Topology) error {
	if s.hash == nil {
		return errNilFunc
	}
	return t.Validate()
}

func (s *keyed[T]) Select(v *T, channels int) int { return Scale(s.hash(v), channels) }

// Func returns a selector that sends a record to the channel that f returns: 0 to channels−1, any other number is an error
// of the writer. f is called once a record and must not keep the pointer. Setup fails if f is nil.
func Func[T any](f func(v *T, channels int) int) Selector[T] { return &custom[T]{f} }

type custom[T any] struct{ f func(*T, int) int }

func (s *custom[T]) Kind() Kind { return KindCustom }

func (s *custom[T]) Setup(t Topology) error {
	if s.f == nil {
		return errNilFunc
	}
	return t.Validate()
}

func (s *custom[T]) Select(v *T, channels int) int { return s.f(v, channels) }

// RoundRobin returns a selector that goes through all channels in turn, starting at a random one so that many producers do
// not start together.
func RoundRobin[T any]() Selector[T] { return &cycling[T]{kind: KindRebalance} }

// Rescale returns a selector that goes in turn through the producer's own share of the channels, which is [RescaleRange],
// starting at a random one of them.
func Rescale[T any]() Selector[T] { return &cycling[T]{kind: KindRescale} }

type cycling[T any] struct {
	kind   Kind
	cursor Cursor
}

func (s *cycling[T]) Kind() Kind { return s.kind }

func (s *cycling[T]) Setup(t Topology) error {
	if err := t.Validate(); err != nil {
		return err
	}
	lo, hi := 0, t.Consumers
	if s.kind == KindRescale {
		lo, hi = RescaleRange(t)
	}
	s.cursor = NewCursor(lo, hi, rand.Int())
	return nil
}

func (s *cycling[T]) Select(*T, int) int { return s.cursor.Next() }

// Shuffle returns a selector that draws a channel at random for each record.
func Shuffle[T any]() Selector[T] { return &shuffle[T]{} }

type shuffle[T any] struct{ random Random }

func (s *shuffle[T]) Kind() Kind { return KindShuffle }

func (s *shuffle[T]) Setup(t Topology) error {
	s.random = NewRandom()
	return t.Validate()
}

func (s *shuffle[T]) Select(_ *T, channels int) int { return s.random.Channel(channels) }

// Global returns a selector that sends every record to channel 0.
func Global[T any]() Selector[T] { return &fixed[T]{kind: KindGlobal} }

// Broadcast returns a selector for writers that send every record to every channel. The writer sees its Kind and does not
// ask it for a channel; Select returns 0.
func Broadcast[T any]() Selector[T] { return &fixed[T]{kind: KindBroadcast} }

// Forward returns a selector that sends every record to the channel with the producer's own index. Setup fails with
// [ErrTopology] if the numbers of producers and consumers differ.
func Forward[T any]() Selector[T] { return &fixed[T]{kind: KindForward} }

type fixed[T any] struct {
	kind    Kind
	channel int
}

func (s *fixed[T]) Kind() Kind { return s.kind }

func (s *fixed[T]) Setup(t Topology) (err error) {
	if s.kind == KindForward {
		s.channel, err = ForwardChannel(t)
		return err
	}
	return t.Validate()
}

func (s *fixed[T]) Select(*T, int) int { return s.channel }
