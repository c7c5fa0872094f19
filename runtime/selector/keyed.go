package selector

// Key returns a selector that sends a record to the channel that owns its hash. hash is typically one of this package's Hash
// functions over a field of the record; it is called once a record and must not keep the pointer. Setup fails if hash is nil.
func Key[T any](hash func(*T) uint64) Selector[T] { return &keyed[T]{hash: hash} }

type keyed[T any] struct {
	use
	hash func(*T) uint64
}

func (s *keyed[T]) Kind() Kind { return KindKeyed }

func (s *keyed[T]) Setup(t Topology) error {
	if s.hash == nil {
		return errNilFunc
	}
	return s.setup(t, XXH3)
}

func (s *keyed[T]) Select(v *T, channels int) int { return Scale(s.hash(v), channels) }

// FlinkKey returns a selector that sends a record to the channel to which Apache Flink sends it: [FlinkChannel] with
// the key groups of the topology. hash is one of the Flink functions over a field of the record, or several combined; it is called
// once a record and must not keep the pointer. Setup fails if hash is nil, and with [ErrTopology] if there are too few key groups.
func FlinkKey[T any](hash func(*T) int32) Selector[T] { return &flinkKeyed[T]{hash: hash} }

type flinkKeyed[T any] struct {
	use
	hash      func(*T) int32
	keyGroups int
}

func (s *flinkKeyed[T]) Kind() Kind { return KindKeyed }

func (s *flinkKeyed[T]) Hash() Hash { return Flink }

func (s *flinkKeyed[T]) Setup(t Topology) error {
	if s.hash == nil {
		return errNilFunc
	}
	if err := s.setup(t, Flink); err != nil {
		return err
	}
	s.keyGroups = t.KeyGroups()
	return nil
}

func (s *flinkKeyed[T]) Select(v *T, channels int) int {
	return FlinkChannel(s.hash(v), s.keyGroups, channels)
}

// KafkaKey returns a selector that sends a record to the channel with the number of the partition that Kafka's default partitioner chooses:
// [KafkaChannel]. hash is one of the Kafka functions over a field of the record; it is called once a record and must not keep the
// pointer. Setup fails if hash is nil.
func KafkaKey[T any](hash func(*T) uint32) Selector[T] { return &kafkaKeyed[T]{hash: hash} }

type kafkaKeyed[T any] struct {
	use
	hash func(*T) uint32
}

func (s *kafkaKeyed[T]) Kind() Kind { return KindKeyed }

func (s *kafkaKeyed[T]) Hash() Hash { return Kafka }

func (s *kafkaKeyed[T]) Setup(t Topology) error {
	if s.hash == nil {
		return errNilFunc
	}
	return s.setup(t, Kafka)
}

func (s *kafkaKeyed[T]) Select(v *T, channels int) int { return KafkaChannel(s.hash(v), channels) }
