package selector

import (
	"errors"
	"strconv"
)

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
	KindLoad                  // of two random channels the one with less backlog
	KindChoices               // of the two channels of the record's key the one with less backlog
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
	case KindLoad:
		return "load"
	case KindChoices:
		return "choices=2"
	default:
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
}

// Selector chooses the channel of a record of type T.
//
// A Selector belongs to one writer: the writer calls Setup once, and then Select from one goroutine at a time. Those of this package
// refuse a second Setup with [ErrShared]. A Selector may implement [Hasher], [Seeder], [Loader], [Releaser] and [Failer] as well.
type Selector[T any] interface {
	// Kind returns the rule. It is constant over the life of the selector.
	Kind() Kind
	// Setup tells the selector where its writer stands. An error, often [ErrTopology], makes the writer's constructor fail.
	// It is called before Select and after Seed.
	Setup(Topology) error
	// Select returns the channel of v, from 0 to channels−1; channels is at least 1 and the same in every call. The writer
	// refuses any other result. For KindBroadcast it is not called by writers and returns 0.
	Select(v *T, channels int) int
}

// ErrShared says that a selector was given to a second writer. A selector has state, which two writers must not share: make one
// for each. A selector whose Setup has succeeded is in use, also if the writer's constructor failed after that.
var ErrShared = errors.New("selector: in use by another writer; each needs one of its own")

// Hasher is implemented by keyed selectors that hash by another rule than [XXH3].
type Hasher interface {
	// Hash returns the rule. It is constant over the life of the selector.
	Hash() Hash
}

// Seeder is implemented by selectors that draw at random: [Shuffle], [LeastLoaded], and [RoundRobin] and [Rescale] for where they
// start.
type Seeder interface {
	// Seed makes the draws follow from seed and the producer's index. A writer that was given a seed calls it, before Setup; a selector
	// that has a seed of its own ignores it. Without a seed the draws are different ones each time.
	Seed(seed uint64)
}

// Loader is implemented by selectors that look at the load of channels.
type Loader interface {
	// Observe gives the selector a function that returns the backlog of a channel: the bytes that were written to it and not yet
	// read. A writer that knows the backlog calls it once, after Setup and before Select; a selector that was told nothing takes all channels for
	// empty. Only Select may call backlog.
	Observe(backlog func(channel int) int64)
}

// Releaser is implemented by selectors that serve one writer.
type Releaser interface {
	// Release makes the selector free for another writer, because the one that has set it up could not be made.
	Release()
}

// Failer is implemented by selectors whose choice may fail.
type Failer interface {
	// Err returns why the last Select returned a negative number, or nil if there is no other reason than that number. It is
	// only asked then.
	Err() error
}
