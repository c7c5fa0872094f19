package gate

import (
	"time"

	"github.com/rwgen/rwgen/runtime/record"
)

// Option configures a reader.
type Option interface{ apply(*options) }

type options struct {
	name     string
	handlers handlers
	known    bool // RefuseUnknown
}

type option func(*options)

func (f option) apply(o *options) { f(o) }

// WithName names the reader in metrics.
func WithName(name string) Option { return option(func(o *options) { o.name = name }) }

// RefuseUnknown refuses writers whose records have fields, or members of unions, that the reader's have not. Without it fields are skipped, and a record with a value of such a member ends the reader with an error
// that is record.ErrUnknownMember.
func RefuseUnknown() Option { return option(func(o *options) { o.known = true }) }

// OnWatermark is called when the watermark of all channels together has risen: no record with an event time of w or before follows, in any channel. It is the least watermark of the channels
// whose producers are not idle, and only rises. When all channels have ended, w is the end of time, eventtime.Time(eventtime.End).
func OnWatermark(f func(w time.Time)) Option {
	return option(func(o *options) { o.handlers.watermark = f })
}

// OnIdle is called with true when the producers of all channels that have not ended say that they are idle, so that there is no watermark to wait for, and with false when that is over.
func OnIdle(f func(idle bool)) Option { return option(func(o *options) { o.handlers.idle = f }) }

// OnEndOfData is called for each channel whose producer says that it has written its last record.
func OnEndOfData(f func(EndOfData)) Option {
	return option(func(o *options) { o.handlers.endOfData = f })
}

// OnEvent is called with the user events of the schema of ser, which writer.SendEvent has sent. The event belongs to f. An error of f ends the reader: it is returned, as an [EventError], by the method that has called f and by all after
// it. There may be one handler for each schema.
func OnEvent[T any](ser record.Serializer[T], f func(Origin, *T) error) Option {
	h := newEventHandler(ser, f)
	return option(func(o *options) { o.handlers.events = append(o.handlers.events, h) })
}

// IgnoreEvents drops user events for whose schema there is no handler, which otherwise end the reader with [ErrEvent].
func IgnoreEvents() Option { return option(func(o *options) { o.handlers.ignore = true }) }

// OnLatency is called for each latency marker.
func OnLatency(f func(Latency)) Option { return option(func(o *options) { o.handlers.latency = f }) }

// Handle sets the handler of the user events of the schema of ser, like [OnEvent], for a reader that there is already, and takes the place of the one that it has for them. It is for the reader's goroutine, outside
// of handlers.
func Handle[T any](in Input, ser record.Serializer[T], f func(Origin, *T) error) {
	in.Core().handlers.set(newEventHandler(ser, f))
}
