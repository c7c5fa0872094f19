package selector

import "strconv"

// Hash is the rule that turns a key into a channel. It is part of what both sides of an edge agree on. The zero value is
// XXH3, the default.
type Hash int

// The hashes of keyed selection.
const (
	XXH3  Hash = iota // XXH3-64 of the key bytes and multiply-shift: [HashString] and the like, and [Scale]
	Flink             // Java's hashCode, Flink's key groups and operator ranges: [FlinkString] and the like, and [FlinkChannel]
	Kafka             // murmur2 of what Kafka's serializers write, modulo the channels: [KafkaString] and the like, and [KafkaChannel]
)

// String returns the hash as written in a generator directive: hash=flink.
func (h Hash) String() string {
	switch h {
	case XXH3:
		return "xxh3"
	case Flink:
		return "flink"
	case Kafka:
		return "kafka"
	default:
		return "Hash(" + strconv.Itoa(int(h)) + ")"
	}
}
