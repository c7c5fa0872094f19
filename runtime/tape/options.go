package tape

import "math/rand/v2"

// Option configures a [Recorder].
type Option interface{ apply(*options) }

type options struct {
	id     uint64
	sync   syncing
	giveUp func(error)
}

type syncing int

const (
	syncEnd syncing = iota
	syncFlush
	syncNever
)

type option func(*options)

func (f option) apply(o *options) { f(o) }

// GiveUp makes errors of the tape none of the writer's: report is called with the first one, on the writer's goroutine, nothing is recorded from then on, and the writer goes on. Without this option they fail
// the writer. report must not be nil.
func GiveUp(report func(error)) Option { return option(func(o *options) { o.giveUp = report }) }

// SyncOnFlush makes Flush of the writer wait until what was emitted is durable, if the file has a method Sync; by default only closing the writer does.
func SyncOnFlush() Option { return option(func(o *options) { o.sync = syncFlush }) }

// NoSync never calls Sync: what is on the disk after a crash of the machine is up to the system.
func NoSync() Option { return option(func(o *options) { o.sync = syncNever }) }

// WithID sets the number that segments of this tape carry. It should differ from file to file; by default it is drawn at random. With it, equal runs write equal files.
func WithID(id uint64) Option { return option(func(o *options) { o.id = id }) }

func gather(opts []Option) options {
	o := options{id: rand.Uint64()}
	for _, opt := range opts {
		if opt != nil {
			opt.apply(&o)
		}
	}
	return o
}
