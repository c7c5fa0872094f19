package text

import (
	"encoding/binary"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// prefix is the size of the length in front of each record of a block.
const prefix = 4

// put writes a record with its length to the start of dst and returns how many bytes both took, 0 if they do not fit.
func put(dst []byte, r *Record) int {
	if len(dst) < prefix {
		return 0
	}
	n, err := RecordSerializer{}.Put(dst[prefix:], r)
	if err != nil {
		return 0
	}
	binary.LittleEndian.PutUint32(dst, uint32(n))
	return prefix + n
}

// tallyBlock decodes all records of a block into r, one after the other.
func tallyBlock(block []byte, r *Record, t *harness.Tally) error {
	for len(block) > 0 {
		end := prefix + int(binary.LittleEndian.Uint32(block))
		if _, err := (RecordSerializer{}).Consume(block[prefix:end], r); err != nil {
			return err
		}
		t.Add(weigh(r))
		block = block[end:]
	}
	return nil
}
