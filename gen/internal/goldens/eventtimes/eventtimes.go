// Package eventtimes has writers with event times.
package eventtimes

import "time"

//go:generate go tool rwgen

// Reading has an event time of each sort, and is of a fixed size. All of its times are the same one.
//
//rwgen:record
//rwgen:writer BySeconds rebalance eventtime=Seconds:s
//rwgen:writer ByMillis key=Sensor eventtime=Clock.Millis:ms watermark=monotonic
//rwgen:writer ByMicros global eventtime=Clock.Micros:us watermark=bounded:250ms
//rwgen:writer ByNanos broadcast eventtime=Clock.Nanos:ns watermark=punctuated:last
//rwgen:writer ByTime key=Sensor eventtime=Stamp watermark=bounded:0s
//rwgen:writer Untimed key=Sensor
type Reading struct {
	Sensor  uint16
	Last    bool // no reading of its time follows
	Seconds uint32
	Clock   Clock
	Stamp   Stamp
}

// Clock holds integers of several units.
type Clock struct {
	Millis Millis
	Micros int64
	Nanos  int64
}

// Millis counts milliseconds.
type Millis int64

// Stamp is a time of another name.
type Stamp = time.Time

func last(v *Reading) bool { return v.Last }

// Note is of no fixed size.
//
//rwgen:record
//rwgen:writer ByAuthor key=Author,At hash=flink eventtime=At watermark=bounded:1m30s
//rwgen:writer ToAll broadcast eventtime=At
//rwgen:writer Routed custom=route eventtime=At watermark=punctuated:final
//rwgen:writer Lightest load eventtime=At watermark=bounded:1500us
type Note struct {
	Author string
	At     time.Time
	Text   string
}

func route(v *Note, channels int) int { return len(v.Text) % channels }

func final(v *Note) bool { return v.Text == "final" }
