package record

import (
	"fmt"
	"math"
	"reflect"

	"github.com/rwgen/rwgen/runtime/wire"
)

// codec writes and reads the values of one type. A record type is compiled once into a tree of codecs, with cycles where the
// type has them; after that no type is looked at again. Codecs have no state: the same ones serve all goroutines.
//
// The state of an operation goes through arguments and results rather than a struct, so that writing allocates nothing.
type codec interface {
	// size returns total plus the size of the value at p. Once the sum is beyond maxSize, or negative, nothing needs to be added any
	// more. A negative sum −1−n says that the value is nested deeper than depth levels, n bytes into the record.
	size(p ptr, total int64, depth int) int64
	// put writes the value at p to dst[i:] and returns the index after it. After an error it returns the index of the value that failed.
	put(dst []byte, i int, p ptr, depth int) (int, error)
	// get reads a value from src[i:] into the variable at p and returns the index after it. After an error it returns the index of
	// the value that failed. b is nil if the record type has no use for a budget.
	get(src []byte, i int, p ptr, b *wire.Budget) (int, error)
}

// maxSize is where sizes stop being counted: no frame carries as much. Without it, data that shares parts many times over
// could take for ever to be measured.
const maxSize = math.MaxInt32

// ended reports whether a size needs no more adding up: it is beyond maxSize or negative.
func ended(total int64) bool { return uint64(total) > maxSize }

// errDepth is the error of writing data that is nested too deeply.
var errDepth = fmt.Errorf("more than %d levels: %w", DefaultMaxDepth, wire.ErrDepth)

// plan is a codec with what is known about its type before any value is seen. Plans of recursive types are filled in after
// others refer to them, so that codecs keep the plans of their parts and look into them when they run.
type plan struct {
	codec
	rt      reflect.Type
	min     int   // least number of bytes of a value, cut at maxSize
	fixed   bool  // every value takes min bytes
	image   bool  // the bytes of a value are its memory; implies fixed
	memory  int64 // bytes of memory on a 64-bit machine
	partial bool  // a value holds something in its own memory that reading does not set
}

// indexError adds the index of an element or map entry to an error of its codec at index i.
func indexError(index, i int, err error) error {
	if err == wire.ErrShort { // fast paths run into it: it must not allocate
		return err
	}
	return wire.IndexError(index, offsetOf(i, err), err)
}

// offsetOf returns what is to be added to the offset in err. Codecs count from the start of the record, so that is i for the
// innermost place and nothing after that.
func offsetOf(i int, err error) int {
	if _, ok := err.(*wire.Error); ok {
		return 0
	}
	return i
}

// empty reports whether values take no bytes at all.
func (c *plan) empty() bool { return c.fixed && c.min == 0 }
