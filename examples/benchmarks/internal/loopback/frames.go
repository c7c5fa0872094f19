package loopback

import (
	"encoding/binary"
	"fmt"
	"io"
)

// header is the size of what is in front of a block on a connection that carries all partitions: the partition and the length of the block, four
// bytes each.
const header = 8

// stamp fills in the header that was left free at the start of a block.
func stamp(block []byte, partition int) {
	binary.LittleEndian.PutUint32(block, uint32(partition))
	binary.LittleEndian.PutUint32(block[4:], uint32(len(block)-header))
}

// readSize is that of the buffer for what was received: large enough for many blocks from one call, and small enough for the cache.
const readSize = 256 << 10

// A frameReader cuts what it reads into blocks.
type frameReader struct {
	in       io.Reader
	buffer   []byte
	from, to int // what was received and not returned
}

func newFrameReader(in io.Reader) *frameReader {
	return &frameReader{in: in, buffer: make([]byte, readSize)}
}

// next returns the next block and its partition. The block is valid until the next call. At the end it returns io.EOF.
func (f *frameReader) next() (partition int, block []byte, err error) {
	for {
		need := header
		have := f.buffer[f.from:f.to]
		if len(have) >= header {
			need += int(binary.LittleEndian.Uint32(have[4:]))
			if len(have) >= need {
				f.from += need
				return int(binary.LittleEndian.Uint32(have)), have[header:need], nil
			}
		}
		if need > len(f.buffer) {
			return 0, nil, fmt.Errorf("block of %d bytes, more than %d", need-header, len(f.buffer)-header)
		}
		if f.from > 0 {
			f.from, f.to = 0, copy(f.buffer, have)
		}
		n, err := f.in.Read(f.buffer[f.to:])
		f.to += n
		if err == io.EOF && f.to > 0 {
			err = io.ErrUnexpectedEOF
		}
		if n == 0 && err != nil {
			return 0, nil, err
		}
	}
}
