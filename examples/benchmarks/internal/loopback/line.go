package loopback

import (
	"bufio"
	"errors"
	"io"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// A Line carries records one by one, each sent at once.
type Line struct {
	// Send sends a record.
	Send func(record []byte) error
	// End says that there are no more.
	End func() error
	// Receive waits for the next record, which is valid until the next call; after the last it returns io.EOF.
	Receive func() ([]byte, error)
	// Close is called after both sides are done.
	Close func() error
}

// RawLine writes each record of the given size to a connection and reads it through a buffer.
func RawLine(size int, encrypted bool) (Line, error) {
	links, err := dial(1, encrypted)
	if err != nil {
		return Line{}, err
	}
	l := links[0]
	return lineOver(l.out, l.in, size, l.out.CloseWrite, l.close), nil
}

// YamuxLine writes each record of the given size to a stream of yamux and reads it through a buffer.
func YamuxLine(size int, encrypted bool) (Line, error) {
	m, err := newMux(1, encrypted)
	if err != nil {
		return Line{}, err
	}
	return lineOver(m.outs[0], m.ins[0], size, m.outs[0].Close, m.close), nil
}

func lineOver(out io.Writer, in io.Reader, size int, end, release func() error) Line {
	buffered, record := bufio.NewReader(in), make([]byte, size)
	return Line{
		Send: func(record []byte) error { _, err := out.Write(record); return err },
		End:  end,
		Receive: func() ([]byte, error) {
			_, err := io.ReadFull(buffered, record)
			return record, err
		},
		Close: release,
	}
}

// BlockLine sends each record in a block of its own over a connection that may carry other partitions too: a goroutine reads it and hands the block to the
// receiver.
func BlockLine(_ int, encrypted bool) (Line, error) {
	links, err := dial(1, encrypted)
	if err != nil {
		return Line{}, err
	}
	l := links[0]
	lanes := harness.NewRecyclers(harness.Cell{Partitions: 1}, func() []byte { return nil })
	read := make(chan error, 1)
	go func() { read <- distribute(newFrameReader(l.in), lanes) }()
	block := make([]byte, header, 4<<10)
	var received []byte
	return Line{
		Send: func(record []byte) error {
			block = append(block[:header], record...)
			stamp(block, 0)
			_, err := l.out.Write(block)
			return err
		},
		End: l.out.CloseWrite,
		Receive: func() ([]byte, error) {
			if received != nil {
				lanes[0].Give(received)
			}
			var open bool
			if received, open = <-lanes[0].Full; open {
				return received, nil
			}
			if err := <-read; err != nil {
				return nil, err
			}
			return nil, io.EOF
		},
		Close: l.close,
	}, nil
}

// MessageLine sends each record in a message of gRPC, by the codec that leaves it as it is.
func MessageLine(_ int, encrypted bool) (Line, error) {
	blocks := newBlockPool(1, 4<<10) // gRPC gives back nothing below 1 KiB
	calls, err := dialGRPC(1, encrypted, &rawCodec{blocks})
	if err != nil {
		return Line{}, err
	}
	var received []byte
	return Line{
		Send: func(record []byte) error {
			block := append(blocks.take(), record...)
			return calls.outs[0].SendMsg(&block)
		},
		End: func() error { return calls.end(nil) },
		Receive: func() ([]byte, error) {
			err := calls.ins[0].RecvMsg(&received)
			if errors.Is(err, io.EOF) {
				err = io.EOF
			}
			return received, err
		},
		Close: calls.close,
	}, nil
}
