package record

import (
	"math"

	"github.com/rwgen/rwgen/runtime/wire"
)

// Serializer writes and reads records of type T in the native format (runtime/wire/FORMAT.md). Implementations are
// stateless and safe for concurrent use.
type Serializer[T any] interface {
	// Size returns the number of bytes that v takes, exactly.
	Size(v *T) int
	// Append appends v to dst and returns the extended slice. On an error it returns dst unchanged.
	Append(dst []byte, v *T) ([]byte, error)
	// Put writes v to the start of dst and returns how many bytes it took. It never grows dst and does not allocate: if v does
	// not fit into len(dst) bytes the error is [wire.ErrShort]. After an error the contents of dst are unspecified.
	Put(dst []byte, v *T) (n int, err error)
	// Consume reads one record from the start of src into v and returns how many bytes it took, under the default [Limits]. The
	// record owns everything it refers to afterwards, so that src may be reused, except that fields tagged view share the memory of src. It never
	// panics, whatever src holds, unless a codec or method of the user does; after an error the contents of v are unspecified.
	Consume(src []byte, v *T) (n int, err error)
	// ConsumeLimits is Consume under limits of the caller's choice. Zero fields of limits mean their defaults.
	ConsumeLimits(src []byte, v *T, limits Limits) (n int, err error)
	// Schema describes the format of T.
	Schema() Schema
}

// Schema identifies the format of a record type: FORMAT.md, section 5. Two schemas are equal if their texts are, see [Schema.Same].
type Schema struct {
	Text        string
	Fingerprint uint64
	// Reading says how a reader treats the schemas of others: the aliases of the record, and the aliases and defaults of its fields, as in FORMAT.md, section 8. It is no part of the format, and
	// empty if there are none. Who writes a serializer by hand writes it there: "Order alias=Purchase;Order.Qty default=\"1\"".
	Reading string
	// Rules are those of a format other than the native one, which has none: nil.
	Rules Rules
}

// Limits bound what a reader accepts and a writer produces. The zero value of each field means its default.
type Limits struct {
	// MaxRecordBytes bounds the payload of one record. Default 64 MiB; at most 2³¹−1.
	MaxRecordBytes int
	// MaxAllocBytes bounds the memory that decoding one record may ask for slices, maps, pointers and members of unions. Default 256 MiB.
	MaxAllocBytes int64
	// MaxDepth bounds the nesting of recursive types, when reading and writing. Default 1000.
	MaxDepth int

	interner *wire.Interner
}

// WithInterner returns l with in as the place where strings of fields tagged intern are looked up and kept. A nil in takes it away. An Interner belongs to one
// goroutine, so do limits that have one.
func (l Limits) WithInterner(in *wire.Interner) Limits {
	l.interner = in
	return l
}

// Interner returns what [Limits.WithInterner] set, nil by default.
func (l Limits) Interner() *wire.Interner { return l.interner }

// The defaults of [Limits].
const (
	DefaultMaxRecordBytes = 64 << 20
	DefaultMaxAllocBytes  = 256 << 20
	DefaultMaxDepth       = 1000
	// DefaultInternBytes is the memory of the Interner that a reader has if its record type has fields tagged intern. Others have none.
	DefaultInternBytes = 256 << 10
)

// WithDefaults returns l with zero and negative fields replaced by their defaults and MaxRecordBytes cut to what a frame can carry.
func (l Limits) WithDefaults() Limits {
	if l.MaxRecordBytes <= 0 {
		l.MaxRecordBytes = DefaultMaxRecordBytes
	}
	l.MaxRecordBytes = min(l.MaxRecordBytes, math.MaxInt32)
	if l.MaxAllocBytes <= 0 {
		l.MaxAllocBytes = DefaultMaxAllocBytes
	}
	if l.MaxDepth <= 0 {
		l.MaxDepth = DefaultMaxDepth
	}
	return l
}
