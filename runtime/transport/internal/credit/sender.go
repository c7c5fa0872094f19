package credit

import (
	"fmt"
	"slices"
	"sort"
)

// Sender is the server's side of one channel. The zero value is a new channel: nothing was sent, and nothing may be.
//
// What is said to it must be sent in this order: SendData, SendEvent and SendEnd are called before the first byte of a message is handed to the connection, so that Sent is never less than what the peer may have.
type Sender struct {
	sent, acked, limit Position
	events             []sentEvent // that were sent and are not acknowledged, oldest first
	ended              bool        // the end was sent; it is the last of them, or acknowledged
}

// sentEvent is where an event stands.
type sentEvent struct {
	data  uint64 // bytes of records before it
	after uint64 // weight of events before and with it
}

// Start begins a channel at a place other than the beginning, as after OPEN with reattach, with the limit of OPEN, which may be below it. REQUIRES: nothing was sent.
func (s *Sender) Start(from, limit Position) {
	if s.sent != s.acked || s.ended {
		panic(fmt.Sprintf("credit: start at %v of a channel that has sent %v", from, s.sent))
	}
	*s = Sender{sent: from, acked: from, limit: s.limit.max(limit), events: s.events[:0]}
}

// Sent returns the position behind all that was sent.
func (s *Sender) Sent() Position { return s.sent }

// Acked returns the position up to which all is acknowledged. What is before it need not be kept.
func (s *Sender) Acked() Position { return s.acked }

// Limit returns the highest limit that was said, field by field.
func (s *Sender) Limit() Position { return s.limit }

// Ended reports whether the end was sent. After [Sender.Resume] it may have to be sent again.
func (s *Sender) Ended() bool { return s.ended }

// Done reports whether the end was sent and is acknowledged: the channel is closed, CLOSED is to be sent.
func (s *Sender) Done() bool { return s.ended && s.acked == s.sent }

// Room returns how many bytes of records may be sent now; 0 after the end.
func (s *Sender) Room() uint64 {
	if s.ended {
		return 0
	}
	return less(s.limit.Data, s.sent.Data)
}

// EventRoom reports whether an event of that weight may be sent now. Exempt says that it is the end of data, or the end, which need no room. It is false after the end.
func (s *Sender) EventRoom(weight uint64, exempt bool) bool {
	return !s.ended && (exempt || weight <= less(s.limit.Events, s.sent.Events))
}

// SendData says that n bytes of records are sent. REQUIRES: 0 < n ≤ Room.
func (s *Sender) SendData(n uint64) {
	if n == 0 || n > s.Room() {
		panic(fmt.Sprintf("credit: %d bytes are sent with room for %d", n, s.Room()))
	}
	s.sent.Data += n
}

// SendEvent says that an event is sent. REQUIRES: EventRoom, and a weight between EventWeight and Window.
func (s *Sender) SendEvent(weight uint64, exempt bool) {
	if weight < EventWeight || weight > Window || !s.EventRoom(weight, exempt) {
		panic(fmt.Sprintf("credit: an event of %d is sent at %v, the limit is %v", weight, s.sent, s.limit))
	}
	s.sent.Events += weight
	s.events = append(s.events, sentEvent{s.sent.Data, s.sent.Events})
}

// SendEnd says that the end is sent, which weighs EventWeight and needs no room. REQUIRES: it was not.
func (s *Sender) SendEnd() {
	s.SendEvent(EventWeight, true)
	s.ended = true
}

// Credit takes what a CREDIT says. Fields that are not above what was said before are ignored. It returns more if the limit has risen, so that there may be more to send, and released if the acknowledgement has, so
// that there may be memory to give back, or the channel is [Sender.Done]. If the acknowledgement is above what was sent, or is no place of the stream, it fails with [ErrAck] and nothing has changed.
func (s *Sender) Credit(ack, limit Position) (more, released bool, err error) {
	acked := s.acked.max(ack)
	if !s.has(acked) {
		return false, false, fmt.Errorf("%w: %v, of %v that were sent and %v that were acknowledged before", ErrAck, ack, s.sent, s.acked)
	}
	more = s.raise(limit)
	released = acked != s.acked
	s.drop(acked)
	return more, released, nil
}

// Resume takes what an OPEN says of a channel that goes on. Afterwards all before received is acknowledged, and what is behind it is to be sent again, with the end if that has been sent. If received is before what was
// acknowledged, behind what was sent, or no place of the stream, it fails with [ErrPosition] and nothing has changed.
func (s *Sender) Resume(received, limit Position) error {
	if !s.acked.AtMost(received) || !s.has(received) {
		return fmt.Errorf("%w: the peer has received %v; %v were sent and %v acknowledged", ErrPosition, received, s.sent, s.acked)
	}
	s.raise(limit)
	s.ended = s.ended && received == s.sent
	s.acked, s.sent = received, received
	s.events = s.events[:0]
	return nil
}

// raise notes a limit.
func (s *Sender) raise(limit Position) bool {
	before := s.limit
	s.limit = before.max(limit)
	return s.limit != before
}

// has reports whether the stream has the place p, among what was sent and is not acknowledged. REQUIRES: p is not before acked.
func (s *Sender) has(p Position) bool {
	if !p.AtMost(s.sent) {
		return false
	}
	k := s.until(p)
	from, to := s.acked, s.sent.Data
	if k > 0 {
		from = Position{s.events[k-1].data, s.events[k-1].after}
	}
	if k < len(s.events) {
		to = s.events[k].data
	}
	return p.Events == from.Events && from.Data <= p.Data && p.Data <= to
}

// until returns how many of the unacknowledged events end at p or before.
func (s *Sender) until(p Position) int {
	return sort.Search(len(s.events), func(i int) bool { return s.events[i].after > p.Events })
}

// drop forgets what is before p.
func (s *Sender) drop(p Position) {
	if n := s.until(p); n > 0 {
		s.events = slices.Delete(s.events, 0, n)
	}
	s.acked = p
}
