package main

// queues is the model of the consumers: each has a queue of bytes without a bound and empties it at a speed of its own, at the same time as the
// producers send one record after the other. The clock counts records.
//
// Bytes are counted in parts of 2^-partBits, so that the speeds are whole numbers and the model is the same on every machine.
type queues struct {
	speed []int64 // parts that each consumer takes while one record is sent
	held  []int64 // parts in the queue at the time of at
	at    []int64
	now   int64
}

const partBits = 20

// newQueues returns n consumers of equal speed who together take percent of what the producers send.
func newQueues(n, percent int) *queues {
	q := &queues{speed: make([]int64, n), held: make([]int64, n), at: make([]int64, n)}
	for i := range q.speed {
		q.speed[i] = recordBytes * int64(percent) << partBits / (100 * int64(n))
	}
	return q
}

// backlog returns the bytes in the queue of a channel.
func (q *queues) backlog(channel int) int64 { return q.parts(channel) >> partBits }

func (q *queues) parts(channel int) int64 {
	return max(0, q.held[channel]-(q.now-q.at[channel])*q.speed[channel])
}

// send puts a record into the queue of a channel.
func (q *queues) send(channel int) {
	q.held[channel] = q.parts(channel) + recordBytes<<partBits
	q.at[channel] = q.now
	q.now++
}

// longest returns the bytes in the longest queue.
func (q *queues) longest() int64 {
	most := int64(0)
	for channel := range q.held {
		most = max(most, q.backlog(channel))
	}
	return most
}
