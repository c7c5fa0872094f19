package wire

import (
	"errors"
	"fmt"
	"strconv"
)

// What reading and writing records can fail with. They arrive wrapped; test for them with [errors.Is].
var (
	// ErrShort says that the destination is too small for the record. Nothing was written beyond it.
	ErrShort = errors.New("wire: destination too short")
	// ErrTruncated says that the source ends before the record does, or that a length in it promises more than follows.
	ErrTruncated = errors.New("wire: source ends early")
	// ErrCorrupt says that the source holds bytes that no writer produces.
	ErrCorrupt = errors.New("wire: corrupt record")
	// ErrLimit says that a record exceeds one of the limits it is read or written under.
	ErrLimit = errors.New("wire: limit exceeded")
	// ErrDepth says that a record is nested too deeply, as cyclic data always is. errors.Is(ErrDepth, ErrLimit) is true.
	ErrDepth error = &kindError{"wire: nested too deeply", ErrLimit}
	// ErrOverflow says that an int, uint or uintptr in the source does not fit the word of this machine.
	// errors.Is(ErrOverflow, ErrCorrupt) is true.
	ErrOverflow error = &kindError{"wire: integer does not fit this machine's word", ErrCorrupt}
	// ErrDuplicateKey says that a map in the source has a key twice. errors.Is(ErrDuplicateKey, ErrCorrupt) is true.
	ErrDuplicateKey error = &kindError{"wire: duplicate map key", ErrCorrupt}
)

// PresenceError says that a byte of presence bits has bits beyond those of its fields. errors.Is(err, [ErrCorrupt]) is true.
type PresenceError struct {
	Bits   byte // as in the source
	Fields int  // with a bit in this byte, from 1 to 7
}

func (e *PresenceError) Error() string {
	return fmt.Sprintf("presence bits %#02x for %d fields: %v", e.Bits, e.Fields, ErrCorrupt)
}

// Unwrap returns [ErrCorrupt].
func (e *PresenceError) Unwrap() error { return ErrCorrupt }

// kindError is a sentinel that is a special case of another one.
type kindError struct {
	text    string
	general error
}

func (e *kindError) Error() string { return e.text }
func (e *kindError) Unwrap() error { return e.general }

// Error is an error at a place in a record.
type Error struct {
	// Path leads from the record to the value, in Go notation: "Lines[3].Sku". The number in brackets counts elements of
	// slices and arrays and entries of maps in the order of the payload. Of a long path only both ends are kept. Empty
	// for the record itself.
	Path string
	// Offset is the position of the value in the payload, in bytes.
	Offset int
	// Err says what is wrong.
	Err error

	tail int // once the path is cut, its last tail bytes are the innermost part, which is kept
}

// Error returns path, offset and cause on one line.
func (e *Error) Error() string {
	s := "offset " + strconv.Itoa(e.Offset) + ": " + e.Err.Error()
	if e.Path != "" {
		s = e.Path + ": " + s
	}
	return s
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// FieldError adds the name of a struct field to err on its way out. If err is an [*Error], its path is prefixed with the
// field and offset is added to its offset; any other error becomes an Error at that field and offset. It returns a new
// error and leaves err alone, and nil if err is nil.
func FieldError(field string, offset int, err error) error {
	return within(field, offset, err)
}

// IndexError is [FieldError] for the element, or map entry, of that index.
func IndexError(index, offset int, err error) error {
	return within("["+strconv.Itoa(index)+"]", offset, err)
}

// Within adds offset to the offset of err on its way out, as [FieldError] does, and leaves the path alone: the value around is no part of it, as a union, whose tag
// stands before its member.
func Within(offset int, err error) error {
	if err == nil {
		return nil
	}
	inner, ok := err.(*Error)
	if !ok {
		return &Error{Offset: offset, Err: err}
	}
	e := *inner
	e.Offset += offset
	return &e
}

// maxPath is the length from which a path is cut in the middle. Without a bound, the path of an error deep inside
// recursive data would take time and memory in the square of the depth.
const maxPath = 240

const cut = "…"

func within(part string, offset int, err error) error {
	if err == nil {
		return nil
	}
	inner, ok := err.(*Error)
	if !ok {
		return &Error{Path: part, Offset: offset, Err: err}
	}
	e := &Error{Offset: inner.Offset + offset, Err: inner.Err, tail: inner.tail}
	rest := inner.Path
	if len(part)+len(rest) > maxPath && e.tail == 0 {
		e.tail = len(rest)
	}
	if e.tail > 0 {
		rest = rest[len(rest)-e.tail:]
		part += cut
	}
	if rest != "" && rest[0] != '[' && e.tail == 0 {
		part += "."
	}
	e.Path = part + rest
	return e
}
