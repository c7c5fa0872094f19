package selector

// LeastLoaded returns a selector that draws two channels at random for each record and chooses the one with less backlog. The
// writer tells it the backlogs; with a writer that knows none it is [Shuffle].
func LeastLoaded[T any]() Selector[T] { return &leastLoaded[T]{} }

type leastLoaded[T any] struct {
	use
	seed    seed
	choices TwoChoices
	backlog func(int) int64
}

func (s *leastLoaded[T]) Kind() Kind { return KindLoad }

func (s *leastLoaded[T]) Seed(n uint64) { s.seed.set(n) }

func (s *leastLoaded[T]) Setup(t Topology) error {
	if err := s.setup(t, XXH3); err != nil {
		return err
	}
	s.choices = NewTwoChoices(0, s.seed.at(t))
	return nil
}

func (s *leastLoaded[T]) Observe(backlog func(channel int) int64) { s.backlog = backlog }

func (s *leastLoaded[T]) Select(_ *T, channels int) int {
	a, b := s.choices.Draw(channels)
	if s.backlog == nil {
		return a
	}
	return s.choices.Choose(a, b, s.backlog(a), s.backlog(b))
}

// KeyChoices returns a selector that sends a record to one of the two channels of its key, [TwoOf]: the one with less backlog, or if
// they are equal the one to which this writer has sent fewer records. The records of one key so go to two channels, and what
// consumers make of them has to be merged downstream. hash is as for [Key]. Setup fails if hash is nil.
func KeyChoices[T any](hash func(*T) uint64) Selector[T] { return &keyChoices[T]{hash: hash} }

type keyChoices[T any] struct {
	use
	hash    func(*T) uint64
	choices TwoChoices
	backlog func(int) int64
}

func (s *keyChoices[T]) Kind() Kind { return KindChoices }

func (s *keyChoices[T]) Setup(t Topology) error {
	if s.hash == nil {
		return errNilFunc
	}
	if err := s.setup(t, XXH3); err != nil {
		return err
	}
	s.choices = NewTwoChoices(t.Consumers, 0)
	return nil
}

func (s *keyChoices[T]) Observe(backlog func(channel int) int64) { s.backlog = backlog }

func (s *keyChoices[T]) Select(v *T, channels int) int {
	a, b := TwoOf(s.hash(v), channels)
	if s.backlog == nil {
		return s.choices.Choose(a, b, 0, 0)
	}
	return s.choices.Choose(a, b, s.backlog(a), s.backlog(b))
}
