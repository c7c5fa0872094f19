package metrics

import "time"

// FlushCause says why data became readable.
type FlushCause int

// The causes of flushes.
const (
	Full        FlushCause = iota // a block was full, or a large record was queued
	EveryRecord                   // policy: flush after every record
	Deadline                      // the first unflushed record had waited long enough
	Idle                          // the reader had nothing else to do
	Requested                     // Flush was called
	Blocked                       // the writer was about to block
	Finished                      // the writer was closed
	Event                         // an event was put behind it

	// FlushCauses is the number of causes.
	FlushCauses = iota
)

var flushCauses = [FlushCauses]string{"full", "every record", "deadline", "idle", "requested", "blocked", "finished", "event"}

// String returns the cause in words.
func (c FlushCause) String() string {
	if c < 0 || int(c) >= len(flushCauses) {
		return "unknown"
	}
	return flushCauses[c]
}

// Channel counts what went through one channel of a writer.
type Channel struct {
	Records uint64              // records accepted
	Bytes   uint64              // bytes of their frames
	Blocks  uint64              // blocks and large records handed over
	Refused uint64              // times that TryEmit found no room
	Flushes [FlushCauses]uint64 // times data became readable, by cause
	Queued  int64               // bytes of memory that the channel holds now
	Dropped uint64              // bytes that were accepted and dropped because the consumer left
}

// Writer counts what went through one writer. Records that were put into a block before the writer saw that their consumer has left count as accepted and as
// dropped.
type Writer struct {
	Name    string
	Records uint64              // records accepted; one of a broadcast writer counts once, one that another writer broadcasts once for each channel
	Bytes   uint64              // bytes of their frames
	Blocks  uint64              // blocks and large records handed over
	Refused uint64              // times that TryEmit found no room
	Flushes [FlushCauses]uint64 // sums over the channels
	Blocked time.Duration       // time that Emit waited for memory or for a full channel
	// Channels has an element per channel. A broadcast writer has one lane that all channels share, hence one element.
	Channels []Channel
}

// Reader counts what went through one reader.
type Reader struct {
	Name     string
	Records  uint64        // records read
	Bytes    uint64        // bytes of their frames
	Chunks   uint64        // pieces of blocks that were looked through
	Waiting  time.Duration // time that Next waited for data
	Channels int           // channels it reads
	Ended    int           // channels that have ended
}

// Pool describes the memory of an exchange, in bytes. The first four are of the whole budget, which several exchanges may share.
type Pool struct {
	Limit  int64 // the budget, large records included
	Mapped int64 // obtained from the system for blocks
	Used   int64 // in blocks now
	Peak   int64 // in blocks at most

	Guaranteed int64 // to this exchange, for blocks
	Share      int64 // what this exchange may hold in blocks at present
	Held       int64 // by this exchange in blocks now
	Area       int64 // set aside for large records of this exchange
	Large      int64 // in large records of this exchange now
}
