package sample

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/examples/benchmarks/internal/loopback"
	"github.com/rwgen/rwgen/runtime/writer"
)

// OverTCP returns what the rows over TCP do for each of this package's records.
func OverTCP() loopback.Records {
	p, shape := newPool(), Shape()
	return loopback.Records{
		Size: shape.Bytes,
		Sum:  shape.Sum,
		Blocks: func(c harness.Cell, n uint64, open [][]byte, full func(partition int, block []byte) ([]byte, error)) error {
			return makeBlocks(p.source(c), n, open, full)
		},
		NewDecoder: func() func(block []byte, t *harness.Tally) error {
			r := new(Record)
			return func(block []byte, t *harness.Tally) error { return tallyBlock(block, r, t) }
		},
		Streams:     func(c harness.Cell, n uint64, out []*bufio.Writer) error { return makeStreams(p.source(c), n, out) },
		TallyStream: tallyStream,
		Messages: func(c harness.Cell, n uint64, send func(partition int, message any) error) error {
			return makeMessages(p.source(c), n, c.Partitions, send)
		},
		Batches: func(c harness.Cell, n uint64, size int, send func(partition int, message any) error) error {
			return makeBatches(p.source(c), n, c.Partitions, size, send)
		},
		TallyMessages: tallyMessages,
		TallyBatches:  tallyBatches,
		Exchange: func(ends loopback.Ends, c harness.Cell, n uint64, opts ...writer.Option) (harness.Pipe, error) {
			return exchangeBetween(ends, p.source(c), c, n, opts...)
		},
	}
}

func makeBlocks(s *source, n uint64, open [][]byte, full func(partition int, block []byte) ([]byte, error)) (err error) {
	for i := range n {
		r := s.record(i)
		p := partitionOf(r, len(open))
		block := open[p]
		took := put(block[len(block):cap(block)], r)
		if took == 0 {
			if block, err = full(p, block); err != nil {
				return err
			}
			took = put(block[len(block):cap(block)], r)
		}
		open[p] = block[:len(block)+took]
	}
	for p, block := range open {
		if _, err := full(p, block); err != nil {
			return err
		}
	}
	return nil
}

func makeStreams(s *source, n uint64, out []*bufio.Writer) error {
	for i := range n {
		r := s.record(i)
		to := out[partitionOf(r, len(out))]
		// The record is encoded in the memory of the buffer, where Write finds it.
		free := to.AvailableBuffer()
		took := put(free[:cap(free)], r)
		if took == 0 {
			if err := to.Flush(); err != nil {
				return err
			}
			free = to.AvailableBuffer()
			took = put(free[:cap(free)], r)
		}
		if _, err := to.Write(free[:took]); err != nil {
			return err
		}
	}
	for _, to := range out {
		if err := to.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// tallyStream decodes all whole records of what is in the buffer, and then waits for more.
func tallyStream(in *bufio.Reader) (t harness.Tally, _ error) {
	var r Record
	for need := 1; ; {
		if _, err := in.Peek(need); err != nil {
			if err == io.EOF && in.Buffered() > 0 {
				err = io.ErrUnexpectedEOF
			}
			if err == io.EOF {
				err = nil
			}
			return t, err
		}
		have, err := in.Peek(in.Buffered())
		if err != nil {
			return t, err
		}
		took, err := tallyPrefix(have, &r, &t)
		if err != nil {
			return t, err
		}
		need = len(have) - took + 1
		if _, err := in.Discard(took); err != nil {
			return t, err
		}
	}
}

func makeMessages(s *source, n uint64, partitions int, send func(partition int, message any) error) error {
	m := new(message)
	for i := range n {
		r := s.record(i)
		fillMessage(m, r)
		if err := send(partitionOf(r, partitions), m); err != nil {
			return err
		}
	}
	return nil
}

func makeBatches(s *source, n uint64, partitions, size int, send func(partition int, message any) error) error {
	open := make([]messages, partitions)
	for i := range n {
		r := s.record(i)
		p := partitionOf(r, len(open))
		batch := open[p].Records
		// A message that was sent is filled again.
		if len(batch) < cap(batch) {
			batch = batch[:len(batch)+1]
		} else {
			batch = append(batch, nil)
		}
		last := len(batch) - 1
		if batch[last] == nil {
			batch[last] = new(message)
		}
		fillMessage(batch[last], r)
		open[p].Records = batch
		if len(batch) == size {
			if err := send(p, &open[p]); err != nil {
				return err
			}
			open[p].Records = batch[:0]
		}
	}
	for p := range open {
		if len(open[p].Records) > 0 {
			if err := send(p, &open[p]); err != nil {
				return err
			}
		}
	}
	return nil
}

func tallyMessages(receive func(message any) error) (t harness.Tally, _ error) {
	m := new(message)
	for {
		if err := receive(m); err != nil {
			return t, endOf(err)
		}
		t.Add(weighMessage(m))
	}
}

func tallyBatches(receive func(message any) error) (t harness.Tally, _ error) {
	batch := new(messages)
	for {
		if err := receive(batch); err != nil {
			return t, endOf(err)
		}
		for _, m := range batch.Records {
			t.Add(weighMessage(m))
		}
	}
}

// endOf is nil for the end of a stream of messages.
func endOf(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// exchangeBetween makes the pipe of one generated writer and readers over the ends of an exchange.
func exchangeBetween(ends loopback.Ends, s *source, c harness.Cell, n uint64, opts ...writer.Option) (pipe harness.Pipe, _ error) {
	ctx := context.Background()
	out, err := NewRecordByKeyWriter(ends.Output(0), opts...)
	if err != nil {
		return pipe, err
	}
	pipe.Produce = append(pipe.Produce, func() error {
		for i := range n {
			if err := out.Emit(ctx, s.record(i)); err != nil {
				return errors.Join(err, out.CloseWithError(err))
			}
		}
		return out.Close()
	})
	for lane := range c.Lanes() {
		g, err := ends.Gate(c.PartitionsOf(lane)...)
		if err != nil {
			return pipe, err
		}
		in, err := NewRecordReader(g)
		if err != nil {
			return pipe, err
		}
		pipe.Consume = append(pipe.Consume, func() (t harness.Tally, _ error) {
			var r Record
			for {
				ok, err := in.Next(ctx, &r)
				if !ok {
					return t, errors.Join(err, in.Close())
				}
				t.Add(weigh(&r))
			}
		})
	}
	pipe.Close = func() error { return ends.Close(ctx) }
	return pipe, nil
}
