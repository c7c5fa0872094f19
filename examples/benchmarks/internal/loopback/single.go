package loopback

import (
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// coalesced is how many small blocks one call sends.
const coalesced = 16

const singleKeeps = "no credit: a slow consumer stops all; no acknowledgement, no resumption"

// LargeBlocks encodes into a block of 32 KiB for each partition and sends each full block by itself, all over one connection.
func LargeBlocks(r Records, encrypted bool) harness.Row {
	return harness.Row{
		Name: "one connection, 32 KiB blocks", HandMade: true, Keeps: singleKeeps,
		Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
			open := openBlocks(c, 32<<10)
			return single(r, c, n, encrypted, func(out conn) error {
				return r.Blocks(c, n, open, func(partition int, block []byte) ([]byte, error) {
					if len(block) > header {
						stamp(block, partition)
						if _, err := out.Write(block); err != nil {
							return nil, err
						}
					}
					return block[:header], nil // the kernel, or TLS, has copied it
				})
			})
		},
	}
}

// SmallBlocks encodes into a block of 4 KiB for each partition and sends sixteen full ones in one call, over one connection.
func SmallBlocks(r Records, encrypted bool) harness.Row {
	return harness.Row{
		Name: "one connection, 4 KiB blocks by 16", HandMade: true, Keeps: singleKeeps,
		Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
			open := openBlocks(c, 4<<10)
			return single(r, c, n, encrypted, func(out conn) error {
				send := sender{out: out, joined: encrypted}
				err := r.Blocks(c, n, open, func(partition int, block []byte) ([]byte, error) {
					if len(block) > header {
						stamp(block, partition)
						return send.add(block)
					}
					return block, nil
				})
				return errors.Join(err, send.flush())
			})
		},
	}
}

// openBlocks makes a block for each partition, with its header left free.
func openBlocks(c harness.Cell, size int) [][]byte {
	open := make([][]byte, c.Partitions)
	for p := range open {
		open[p] = make([]byte, header, header+size)
	}
	return open
}

// A sender collects blocks and sends several in one call: by writev, or where there is none because TLS is in between, from one buffer.
type sender struct {
	out     conn
	joined  bool
	pending [][]byte
	calls   [][]byte // pending once more, for net.Buffers to consume
	free    [][]byte
	buffer  []byte
}

// add takes a full block and returns an empty one.
func (s *sender) add(block []byte) ([]byte, error) {
	s.pending = append(s.pending, block)
	if len(s.pending) == coalesced {
		if err := s.flush(); err != nil {
			return nil, err
		}
	}
	if last := len(s.free) - 1; last >= 0 {
		block = s.free[last]
		s.free = s.free[:last]
		return block[:header], nil
	}
	return make([]byte, header, cap(block)), nil
}

// flush sends what is pending.
func (s *sender) flush() (err error) {
	if s.joined {
		s.buffer = s.buffer[:0]
		for _, block := range s.pending {
			s.buffer = append(s.buffer, block...)
		}
		_, err = s.out.Write(s.buffer)
	} else {
		s.calls = append(s.calls[:0], s.pending...)
		buffers := net.Buffers(s.calls)
		_, err = buffers.WriteTo(s.out)
	}
	s.free = append(s.free, s.pending...)
	s.pending = s.pending[:0]
	return err
}

// single makes the pipe of one connection that carries the blocks of all partitions. A shared consumer reads the connection itself; otherwise a goroutine
// reads it and hands the blocks to the consumers.
func single(r Records, c harness.Cell, n uint64, encrypted bool, produce func(out conn) error) (harness.Pipe, error) {
	links, err := dial(1, encrypted)
	if err != nil {
		return harness.Pipe{}, err
	}
	l := links[0]
	producers := []func() error{func() error { return errors.Join(produce(l.out), l.out.CloseWrite()) }}
	if c.Shared {
		return newPipe(l.close, producers, []func() (harness.Tally, error){func() (harness.Tally, error) {
			return tallyFrames(r, newFrameReader(l.in), c.Partitions)
		}}), nil
	}
	lanes := harness.NewRecyclers(c, func() []byte { return nil })
	var consume []func() (harness.Tally, error)
	for _, lane := range lanes {
		consume = append(consume, func() (t harness.Tally, err error) {
			decode := r.NewDecoder()
			for block := range lane.Full {
				err = errors.Join(err, decode(block, &t))
				lane.Give(block)
			}
			return t, err
		})
	}
	producers = append(producers, func() error { return distribute(newFrameReader(l.in), lanes) })
	return newPipe(l.close, producers, consume), nil
}

// tallyFrames decodes the blocks of all partitions where they were received.
func tallyFrames(r Records, in *frameReader, partitions int) (t harness.Tally, err error) {
	decode := r.NewDecoder()
	for {
		p, block, err := in.next()
		if err == io.EOF {
			return t, nil
		}
		if err == nil && p >= partitions {
			err = unknown(p, partitions)
		}
		if err == nil {
			err = decode(block, &t)
		}
		if err != nil {
			return t, err
		}
	}
}

// distribute copies each block out of what was received and hands it to the consumer of its partition, until the end, which it passes on.
func distribute(in *frameReader, lanes []harness.Recycler[[]byte]) error {
	defer func() {
		for _, lane := range lanes {
			close(lane.Full)
		}
	}()
	for {
		p, block, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err == nil && p >= len(lanes) {
			err = unknown(p, len(lanes))
		}
		if err != nil {
			return err
		}
		lanes[p].Full <- append(lanes[p].Take()[:0], block...)
	}
}

func unknown(partition, partitions int) error {
	return fmt.Errorf("block for partition %d of %d", partition, partitions)
}
