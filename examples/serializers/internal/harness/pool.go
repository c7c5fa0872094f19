package harness

// Records is the number of different records in the pool of each shape.
const Records = 1024

// bufferBytes is the room for one encoded record: far more than the largest takes.
const bufferBytes = 16 << 10

// Pool is the state of a codec: the records in the type N of the peer, made from those of type T before the clock runs, and what the
// loops reuse. It is for one goroutine.
type Pool[T, N any] struct {
	Values  []N
	Encoded [][]byte // of each value, each in memory of its own
	Value   N        // reused by all that is decoded
	Buffer  []byte   // reused by all that is encoded; its length is its capacity
	// Stale makes codecs of peers whose decoders keep data of the record before leave out the reset of Value, for the test that shows it.
	Stale bool
}

// Fill makes room for n records.
func (p *Pool[T, N]) Fill(n int) {
	p.Values = make([]N, n)
	p.Encoded = make([][]byte, n)
	p.Buffer = make([]byte, bufferBytes)
}

// Bytes returns the encoding of value i, which the caller must not change.
func (p *Pool[T, N]) Bytes(i int) []byte { return p.Encoded[i] }

// KeepStale sets Stale.
func (p *Pool[T, N]) KeepStale(keep bool) { p.Stale = keep }
