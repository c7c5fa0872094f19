package selector

import (
	"errors"
	"sync/atomic"
)

// errNilFunc is what Setup of a selector made from a nil function returns.
var errNilFunc = errors.New("selector: nil function")

// use is embedded in all selectors: it sees to it that each serves one writer. Two writers may try at the same time.
type use struct{ taken atomic.Bool }

// setup checks t and takes the selector into use.
func (u *use) setup(t Topology, h Hash) error {
	if err := t.ValidateFor(h); err != nil {
		return err
	}
	if u.taken.Swap(true) {
		return ErrShared
	}
	return nil
}

// Release implements [Releaser].
func (u *use) Release() { u.taken.Store(false) }

// Func returns a selector that sends a record to the channel that f returns: 0 to channels−1, any other number is an error
// of the writer. f is called once a record and must not keep the pointer. Setup fails if f is nil.
func Func[T any](f func(v *T, channels int) int) Selector[T] { return &custom[T]{f: f} }

type custom[T any] struct {
	use
	f func(*T, int) int
}

func (s *custom[T]) Kind() Kind { return KindCustom }

func (s *custom[T]) Setup(t Topology) error {
	if s.f == nil {
		return errNilFunc
	}
	return s.setup(t, XXH3)
}

func (s *custom[T]) Select(v *T, channels int) int { return s.f(v, channels) }

// TryFunc is [Func] for a function that may fail: when f returns an error, nothing of the record is written, and the writer returns an error that
// wraps it. The writer goes on to work.
func TryFunc[T any](f func(v *T, channels int) (int, error)) Selector[T] { return &tryCustom[T]{f: f} }

type tryCustom[T any] struct {
	use
	f   func(*T, int) (int, error)
	err error
}

func (s *tryCustom[T]) Kind() Kind { return KindCustom }

func (s *tryCustom[T]) Setup(t Topology) error {
	if s.f == nil {
		return errNilFunc
	}
	return s.setup(t, XXH3)
}

func (s *tryCustom[T]) Select(v *T, channels int) int {
	channel, err := s.f(v, channels)
	if err != nil || s.err != nil { // a store of a pointer less for each record
		s.err = err
	}
	if err != nil {
		return -1
	}
	return channel
}

func (s *tryCustom[T]) Err() error { return s.err }

// Global returns a selector that sends every record to channel 0.
func Global[T any]() Selector[T] { return &fixed[T]{kind: KindGlobal} }

// Broadcast returns a selector for writers that send every record to every channel. The writer sees its Kind and does not
// ask it for a channel; Select returns 0.
func Broadcast[T any]() Selector[T] { return &fixed[T]{kind: KindBroadcast} }

// Forward returns a selector that sends every record to the channel with the producer's own index. Setup fails with
// [ErrTopology] if the numbers of producers and consumers differ.
func Forward[T any]() Selector[T] { return &fixed[T]{kind: KindForward} }

type fixed[T any] struct {
	use
	kind    Kind
	channel int
}

func (s *fixed[T]) Kind() Kind { return s.kind }

func (s *fixed[T]) Setup(t Topology) error {
	channel := 0
	if s.kind == KindForward {
		var err error
		if channel, err = ForwardChannel(t); err != nil {
			return err
		}
	}
	if err := s.setup(t, XXH3); err != nil {
		return err
	}
	s.channel = channel
	return nil
}

func (s *fixed[T]) Select(*T, int) int { return s.channel }
