package harness

// Loops are what is measured. The loops are generated into the package of each codec (internal/loops), so that its functions are called
// directly, as its users call them.
type Loops interface {
	// MarshalAll encodes n records into the reused buffer and returns how many bytes they took together.
	MarshalAll(n int) (int, error)
	// UnmarshalAll decodes n records into the reused value.
	UnmarshalAll(n int) error
	// RoundTrips encodes n records into the reused buffer and decodes each from there.
	RoundTrips(n int) error
}

// Codec is one peer for records of type T. It is for one goroutine.
type Codec[T any] interface {
	Loops
	// Prepare encodes the records, which all loops use from then on.
	Prepare(records []T) error
	// Bytes returns the encoding of record i.
	Bytes(i int) []byte
	// Encode encodes record i into the reused buffer.
	Encode(i int) ([]byte, error)
	// Decode decodes src into the reused value and returns that as a T, without copying what its strings and slices refer to. It is
	// valid until the next call.
	Decode(src []byte) (T, error)
	// KeepStale switches off what a codec does beside the decoder of the peer to have no data of the record before in the reused value.
	KeepStale(keep bool)
}

// Row is a line of a table.
type Row[T any] struct {
	Name string
	// View says that decoded strings and byte slices share memory with the input.
	View bool
	// Stale says that the decoder of the peer leaves data of the record before in a reused value, so that the row resets it each time, on the
	// clock.
	Stale bool
	Codec Codec[T]
}

// The names of the rows that all others are compared with, and of those by hand for the bytes of rwgen.
const (
	Limit     = "limit by hand"
	LimitView = "limit by hand, views"
	Ours      = "by hand, our bytes"
	OursView  = "by hand, our bytes, views"
)
