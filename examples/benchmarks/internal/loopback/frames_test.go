package loopback

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// framesOf encodes blocks of the given lengths for partitions 0, 1, 2 and so on.
func framesOf(lengths ...int) (all []byte) {
	for p, n := range lengths {
		block := append(make([]byte, header), bytes.Repeat([]byte{byte('a' + p)}, n)...)
		stamp(block, p)
		all = append(all, block...)
	}
	return all
}

func TestFramesAreCutFromAnyReads(t *testing.T) {
	lengths := []int{1, 0, 4096, readSize - header, 1000, 7}
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r },
		"half":  iotest.HalfReader,
		"bytes": iotest.OneByteReader,
		"end":   iotest.DataErrReader,
	} {
		in := newFrameReader(wrap(bytes.NewReader(framesOf(lengths...))))
		for want, n := range lengths {
			p, block, err := in.next()
			if err != nil || p != want || !bytes.Equal(block, bytes.Repeat([]byte{byte('a' + want)}, n)) {
				t.Fatalf("%s: block %d: partition %d, %d bytes, %v; want %d bytes", name, want, p, len(block), err, n)
			}
		}
		if _, _, err := in.next(); err != io.EOF {
			t.Errorf("%s: %v at the end, want EOF", name, err)
		}
	}
}

func TestFramesThatEndTooEarlyAreRefused(t *testing.T) {
	whole := framesOf(5)
	for n := 1; n < len(whole); n++ {
		if _, _, err := newFrameReader(bytes.NewReader(whole[:n])).next(); err != io.ErrUnexpectedEOF {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}

func TestFramesThatAreTooLongAreRefused(t *testing.T) {
	long := binary.LittleEndian.AppendUint32(make([]byte, 4), readSize-header+1)
	if _, _, err := newFrameReader(bytes.NewReader(long)).next(); err == nil || !strings.Contains(err.Error(), "262137") {
		t.Errorf("error %v, want one with the length", err)
	}
}

func TestBlocksForUnknownPartitionsAreRefused(t *testing.T) {
	r := Records{NewDecoder: func() func([]byte, *harness.Tally) error {
		return func([]byte, *harness.Tally) error { return nil }
	}}
	if _, err := tallyFrames(r, newFrameReader(bytes.NewReader(framesOf(1, 1, 1))), 2); err == nil || !strings.Contains(err.Error(), "partition 2 of 2") {
		t.Errorf("error %v, want one with the partition", err)
	}
}

func TestFailingReadsAreReported(t *testing.T) {
	broken := errors.New("broken")
	if _, _, err := newFrameReader(iotest.ErrReader(broken)).next(); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
