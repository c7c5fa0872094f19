package text

import (
	"encoding/binary"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// tallyPrefix decodes the records at the start of src into r, one after the other, and returns how many bytes they took; what is left is part of
// one record.
func tallyPrefix(src []byte, r *Record, t *harness.Tally) (took int, _ error) {
	for {
		rest := src[took:]
		if len(rest) < prefix {
			return took, nil
		}
		end := prefix + int(binary.LittleEndian.Uint32(rest))
		if len(rest) < end {
			return took, nil
		}
		if _, err := (RecordSerializer{}).Consume(rest[prefix:end], r); err != nil {
			return took, err
		}
		t.Add(weigh(r))
		took += end
	}
}
