package selector

import "strconv"

// Kind is the rule by which a writer selects channels. It is part of what both sides of an edge agree on.
type Kind int

// The kinds of selection.
const (
	KindKeyed     Kind = iota // the channel that owns the hash of the record's key
	KindBroadcast             // every channel
	KindRebalance             // all channels in turn
	KindRescale               // the producer's own share of the channels in turn
	KindShuffle               // a random channel
	KindGlobal                // channel 0
	KindForward               // the channel with the producer's own index
	KindCustom                // a function of the user
)

// String returns the kind as written in a generator directive.
func (k Kind) String() string {
	switch k {
	case KindKeyed:
		return "key"
	case KindBroadcast:
		return "broadcast"
	case KindRebalance:
		return "rebalance"
	case KindRescale:
		return "rescale"
	case KindShuffle:
		return "shuffle"
	case KindGlobal:
		return "global"
	case KindForward:
		return "forward"
	case KindCustom:
		return "custom"
	default:
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
}

// Selector chooses the channel of a record of type T.
//
// A Selector belongs to one writer: the writer calls Setup once before anything else, and then Select from one goroutine at a
// time.
type Selector[T any] interface {
	// Kind returns the rule. It is constant over the life of the selector.
	Kind() Kind
	// Setup tells the selector where its writer stands. An error, often [ErrTopology], makes the writer's constructor fail.
	Setup(Topology) error
	// Select returns the channel of v, from 0 to channels−1; channels is at least 1 and the same in every call. The writer
	// refuses any other result. For KindBroadcast it is not called by writers and returns 0.
	Select(v *T, channels int) int
}
