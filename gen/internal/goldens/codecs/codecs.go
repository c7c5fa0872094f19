// Package codecs has types with an encoding of their own.
package codecs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/rwgen/rwgen/gen/internal/goldens/codecs/decimal"
	"github.com/rwgen/rwgen/gen/internal/goldens/codecs/uuid"
)

//go:generate go tool rwgen

// MoneyCodec encodes amounts, which have no methods.
//
//rwgen:codec decimal.Money
type MoneyCodec struct{}

// Append writes the cents.
func (MoneyCodec) Append(dst []byte, v *decimal.Money) ([]byte, error) {
	return binary.AppendVarint(dst, v.Cents()), nil
}

// Consume reads the cents.
func (MoneyCodec) Consume(src []byte, v *decimal.Money) error {
	cents, n := binary.Varint(src)
	if n != len(src) || n <= 0 {
		return errors.New("no amount")
	}
	*v = decimal.Cents(cents)
	return nil
}

// Version appends, with methods on pointers. Some are refused, and one is not expected.
type Version struct{ major, minor uint8 }

func (v *Version) AppendBinary(dst []byte) ([]byte, error) {
	switch {
	case v.major == 98:
		panic("version 98")
	case v.major > 97:
		return nil, ErrMajor
	}
	return append(dst, v.major, v.minor), nil
}

func (v *Version) UnmarshalBinary(p []byte) error {
	if len(p) != 2 || p[0] > 97 {
		return ErrMajor
	}
	v.major, v.minor = p[0], p[1]
	return nil
}

// ErrMajor is the error of a version that has no encoding.
var ErrMajor = errors.New("codecs: no version")

// Note has text only, and a field without encoding; it may be long.
type Note struct {
	text string
	done chan struct{}
}

// Done returns what is no part of the encoding.
func (n Note) Done() <-chan struct{} { return n.done }

func (n Note) AppendText(dst []byte) ([]byte, error) { return append(dst, n.text...), nil }
func (n *Note) UnmarshalText(p []byte) error         { n.text = string(p); return nil }

// Guarded must not be copied.
type Guarded struct {
	mu sync.Mutex
	n  int32
}

func (g *Guarded) MarshalText() ([]byte, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return []byte(strings.Repeat("x", int(g.n))), nil
}

func (g *Guarded) UnmarshalText(p []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if strings.Trim(string(p), "x") != "" {
		return fmt.Errorf("%d bytes that are not all x", len(p))
	}
	g.n = int32(len(p))
	return nil
}

// Wrapped has the methods of UUID by embedding it, which does not count (case 24).
type Wrapped struct {
	uuid.UUID
	Name string
}

// Entity has codecs wherever a value can stand, also as keys of maps (case 20).
//
//rwgen:record
//rwgen:writer ByName key=Name
type Entity struct {
	Name     string
	ID       uuid.UUID
	Wrapped  Wrapped
	IDs      []uuid.UUID
	Fixed    [2]uuid.UUID
	Things   map[uuid.UUID]Thing
	Parents  map[string][]*Thing
	Pointer  *uuid.UUID
	Price    decimal.Decimal
	Prices   []decimal.Decimal
	Money    decimal.Money
	Amounts  map[string]decimal.Money
	Version  Version
	Versions []*Version
	Note     Note
	Notes    []Note
	Either   Either
	Last     int32
}

// Thing is no record.
type Thing struct {
	ID    uuid.UUID
	Price decimal.Decimal
}

// Either has codecs as members.
//
//rwgen:union uuid.UUID,*Version,decimal.Money
type Either any

// Lock cannot be copied.
//
//rwgen:record
type Lock struct {
	First Guarded
	Skip  int `rw:"-"`
}

// Versioned has a record of constant size but for the codec.
//
//rwgen:record
type Versioned struct {
	Seq     uint64
	Version Version
}
