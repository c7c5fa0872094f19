package credit

import "fmt"

// Receiver is the client's side of one channel. The zero value is a new channel: nothing was received, and there is no memory for records.
//
// All that it counts as received is acknowledged by the next CREDIT, so it must be told only of what is in memory.
type Receiver struct {
	// EventRoom is the weight of events that there is memory for, from EventWeight to Window; zero means Window. It is set before anything else, and not changed.
	EventRoom uint64

	received Position
	granted  uint64   // data up to which memory is set aside: the limit
	read     uint64   // weight of the events that were read
	acked    Position // as it was said last
	said     Position // the limit as it was said last
	arriving uint64   // bytes of a DATA whose header has arrived, that have not
	ended    bool     // the end was received
}

// Received returns the position behind all that was received.
func (r *Receiver) Received() Position { return r.received }

// Limit returns the position up to which there is memory, said or not.
func (r *Receiver) Limit() Position { return Position{r.granted, plus(r.read, r.room())} }

// room returns the weight of events that may be under way or wait for the reader.
func (r *Receiver) room() uint64 {
	if r.EventRoom == 0 {
		return Window
	}
	return r.EventRoom
}

// Ended reports whether the end was received.
func (r *Receiver) Ended() bool { return r.ended }

// Open returns what OPEN says, for a new channel and for one that goes on after a break. What was under way is forgotten: of a DATA only that counts that has arrived.
func (r *Receiver) Open() (received, limit Position) {
	r.arriving = 0
	return r.Announce()
}

// Start moves a new channel to the place where OPENED says that it begins, as after OPEN with reattach. The memory that is set aside counts from there. REQUIRES: nothing was received.
func (r *Receiver) Start(from Position) {
	if r.received != (Position{}) || r.arriving != 0 {
		panic(fmt.Sprintf("credit: start at %v of a channel that has received %v", from, r.received))
	}
	r.received, r.acked = from, from
	r.granted = plus(r.granted, from.Data)
	r.read = from.Events
}

// Grant says that memory for so many bytes of records was set aside, which raises the limit. REQUIRES: bytes ≥ 0.
func (r *Receiver) Grant(bytes int) {
	if bytes < 0 {
		panic(fmt.Sprintf("credit: a grant of %d bytes", bytes))
	}
	r.granted = plus(r.granted, uint64(bytes))
}

// Data takes the header of a DATA: the position of its first byte and how many bytes it has. It fails with [ErrSequence] if it does not begin behind the bytes that were received or if the end was, and with [ErrBeyond]
// if it ends above the limit that was said; the connection is to be closed then, and nothing has changed. REQUIRES: the DATA before has arrived.
func (r *Receiver) Data(at uint64, n int) error {
	switch {
	case r.arriving != 0:
		panic(fmt.Sprintf("credit: a DATA while %d bytes of another are missing", r.arriving))
	case r.ended:
		return fmt.Errorf("%w: %d bytes behind the end", ErrSequence, n)
	case at != r.received.Data:
		return fmt.Errorf("%w: bytes from %d, %d were received", ErrSequence, at, r.received.Data)
	case n < 1:
		return fmt.Errorf("%w: a DATA of %d bytes", ErrSequence, n)
	case uint64(n) > less(r.said.Data, at):
		return fmt.Errorf("%w: %d bytes from %d, the limit is %d", ErrBeyond, n, at, r.said.Data)
	}
	r.arriving = uint64(n)
	return nil
}

// Arrived says that n more bytes of the DATA are in memory. REQUIRES: it has so many.
func (r *Receiver) Arrived(n int) {
	if n < 0 || uint64(n) > r.arriving {
		panic(fmt.Sprintf("credit: %d bytes of a DATA that lacks %d", n, r.arriving))
	}
	r.arriving -= uint64(n)
	r.received.Data += uint64(n)
}

// Landed is Arrived for bytes that are in memory beside what was set aside for the channel, which stays free for as many others: the limit rises by them.
func (r *Receiver) Landed(n int) {
	r.Arrived(n)
	r.Grant(n)
}

// CheckEvent reports what [Receiver.Event] would, and changes nothing: for the header of an event, before there is memory for its body.
func (r *Receiver) CheckEvent(at Position, weight uint64, isExempt bool) error {
	room := less(r.said.Events, r.received.Events)
	if isExempt { // it needs no room, but there is only one of each
		room = less(plus(r.said.Events, exempt), r.received.Events)
	}
	switch {
	case r.arriving != 0:
		panic(fmt.Sprintf("credit: an event while %d bytes of a DATA are missing", r.arriving))
	case r.ended:
		return fmt.Errorf("%w: an event behind the end", ErrSequence)
	case at != r.received:
		return fmt.Errorf("%w: an event at %v, received are %v", ErrSequence, at, r.received)
	case weight < EventWeight:
		return fmt.Errorf("%w: an event of %d", ErrSequence, weight)
	case weight > room:
		return fmt.Errorf("%w: an event of %d at %v, the limit is %d", ErrBeyond, weight, at, r.said.Events)
	}
	return nil
}

// Event takes an event that has arrived completely: the position before it, and its weight. Exempt says that it is the end of data, which needs no room. It fails like [Receiver.Data]. REQUIRES: the DATA before has arrived.
func (r *Receiver) Event(at Position, weight uint64, isExempt bool) error {
	if err := r.CheckEvent(at, weight, isExempt); err != nil {
		return err
	}
	r.received.Events += weight
	return nil
}

// End takes the end, like Event. It need not be said to be read.
func (r *Receiver) End(at Position) error {
	if err := r.Event(at, EventWeight, true); err != nil {
		return err
	}
	r.ended = true
	return nil
}

// EventRead says that the reader has taken an event of that weight, which raises the limit. REQUIRES: it was received, and not read.
func (r *Receiver) EventRead(weight uint64) {
	if weight > r.received.Events-r.read {
		panic(fmt.Sprintf("credit: an event of %d is read, %d were received and %d read", weight, r.received.Events, r.read))
	}
	r.read += weight
}

// Due reports whether a CREDIT is to be sent now. It is to be asked after each of Grant, EventRead, Arrived, Event and End, and with idle when nothing more of the connection is there to be read at once. A connection that
// is never idle must count as idle from time to time, such as after each call that has read from it: otherwise what is not acknowledged stays in the memory of producers as long as other channels are busy. It is true
//
//   - if there is an acknowledgement to say, and it is the end, or the limit that was said is reached, or the connection is idle;
//   - if the limit for records has risen by at least what is left of the limit that was said, which is half of what may be under way then;
//   - if the limit for events has risen by half of the room for them, or all events were read: the next one may need all of it.
func (r *Receiver) Due(idle bool) bool {
	left := less(r.said.Data, r.received.Data)
	if r.received != r.acked && (idle || r.ended || r.received.Data != r.acked.Data && left == 0) {
		return true
	}
	if r.ended {
		return false
	}
	if rise := less(r.granted, r.said.Data); rise > 0 && rise >= left {
		return true
	}
	rise := less(r.Limit().Events, r.said.Events)
	return rise >= r.room()/2 || rise > 0 && r.read == r.received.Events
}

// Announce returns what a CREDIT says now, and counts as having said it.
func (r *Receiver) Announce() (ack, limit Position) {
	r.acked, r.said = r.received, r.Limit()
	return r.acked, r.said
}
