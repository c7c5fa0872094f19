// Package tags has fields with tags, and fields outside the format.
package tags

import "sync"

//go:generate go tool rwgen

type (
	Small int16
	Count uint64
)

//rwgen:record
type Varints struct {
	I16  int16   `rw:"varint"`
	I32  int32   `rw:"varint"`
	I64  int64   `json:"i64" rw:"varint"`
	Int  int     `rw:"varint"`
	U16  uint16  `rw:"varint"`
	U32  uint32  `rw:"varint"`
	U64  uint64  `rw:"varint"`
	Uint uint    `rw:"varint"`
	Ptr  uintptr `rw:"varint"`
	S    Small   `rw:"varint"`
	C    Count   `rw:"varint"`
	Last uint8
}

// Skips has fields that are not part of the format, also a mutex, which must not be copied.
//
//rwgen:record
type Skips struct {
	Name  string
	cache map[string]func() `rw:"-"`
	mu    sync.Mutex        `rw:"-"`
	Count int32
	Chan  chan int `rw:"-"`
	Inner Inner
	List  []Inner
}

// Inner has such fields, too.
type Inner struct {
	Keep string
	Skip any `rw:"-"`
	N    int8
	mu   sync.Mutex `rw:"-"`
}

// Blank has fields that cannot be mentioned.
//
//rwgen:record
type Blank struct {
	_    [0]func()
	Name string
	_    int32
	N    int32
}

// NestedTags has varints in nested structs.
//
//rwgen:record
type NestedTags struct {
	One  Delta
	List []Delta
	Ptr  *Delta
}

type Delta struct {
	At int64 `rw:"varint"`
	By int32 `rw:"varint"`
}

func (s *Skips) touch() { s.mu.Lock(); s.cache = nil; s.mu.Unlock() }

var _ = (*Skips).touch
