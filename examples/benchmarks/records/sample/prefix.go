package sample

import (
	"encoding/binary"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// tallyPrefix decodes the records at the start of src and returns how many bytes they took; what is left is part of one record.
func tallyPrefix(src []byte, _ *Record, t *harness.Tally) (took int, _ error) {
	for len(src)-took >= size {
		one := src[took : took+size]
		r := Record{ID: binary.LittleEndian.Uint64(one), Value: int64(binary.LittleEndian.Uint64(one[8:]))}
		t.Add(weigh(&r))
		took += size
	}
	return took, nil
}
