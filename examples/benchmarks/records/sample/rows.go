package sample

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// many is the capacity of channels and the larger size of batches: 1,024 records, fewer of those that make this more than 128 KiB.
const many = min(1024, 128<<10/int(unsafe.Sizeof(Record{})))

// emitSize is the number of records in a batch of EmitBatch.
const emitSize = 128

// Shape returns the rows of this package's records.
func Shape() harness.Shape {
	p := newPool()
	var bytes int
	for s, i := p.source(harness.Cell{Partitions: 1}), uint64(0); i < 1024; i++ {
		bytes += RecordSerializer{}.Size(s.record(i))
	}
	return harness.Shape{
		Rows: []harness.Row{
			floorRow(p),
			recordsRow(p, many),
			batchesRow(p, many/8),
			batchesRow(p, many),
			blocksRow(p, 4<<10),
			blocksRow(p, 32<<10),
			exchangeRow(p, "rwgen"),
			exchangeRow(p, "rwgen, full blocks", writer.FlushOnFull()),
			emitBatchRow(p, "rwgen EmitBatch"),
		},
		Sum:   func(c harness.Cell, n uint64) uint64 { return p.source(c).sum(n) },
		Bytes: bytes / 1024,
	}
}

// partitionOf is where the generated writer sends a record.
func partitionOf(r *Record, partitions int) int {
	return selector.Scale(hash(r), partitions)
}

// floorRow generates records, hashes them and adds them up by partition, all in the producers: what no hand-off can be faster than.
func floorRow(p *pool) harness.Row {
	return harness.Row{Name: "floor", Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
		var pipe harness.Pipe
		var producers sync.WaitGroup
		producers.Add(c.Writers())
		sums := make([][]harness.Tally, c.Writers())
		for w := range sums {
			s, own := p.source(c), make([]harness.Tally, c.Partitions)
			sums[w] = own
			pipe.Produce = append(pipe.Produce, func() error {
				defer producers.Done()
				for i, end := c.Part(w, n); i < end; i++ {
					r := s.record(i)
					if c.Scenario != harness.Broadcast {
						own[partitionOf(r, len(own))].Add(weigh(r))
						continue
					}
					for p := range own {
						own[p].Add(weigh(r))
					}
				}
				return nil
			})
		}
		for lane := range c.Lanes() {
			pipe.Consume = append(pipe.Consume, func() (t harness.Tally, _ error) {
				producers.Wait()
				for _, own := range sums {
					for _, p := range c.PartitionsOf(lane) {
						t.Merge(own[p])
					}
				}
				return t, nil
			})
		}
		return pipe, nil
	}}
}

// recordsRow sends each record by itself through a channel of the given capacity.
func recordsRow(p *pool, capacity int) harness.Row {
	return harness.Row{Name: "chan T", HandMade: true, Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
		var pipe harness.Pipe
		lanes := make([]chan Record, c.Lanes())
		for i := range lanes {
			lane := make(chan Record, capacity)
			lanes[i] = lane
			pipe.Consume = append(pipe.Consume, func() (t harness.Tally, _ error) {
				for r := range lane {
					t.Add(weigh(&r))
				}
				return t, nil
			})
		}
		last := harness.Last(c.Writers(), func() {
			for _, lane := range lanes {
				close(lane)
			}
		})
		for w := range c.Writers() {
			s := p.source(c)
			pipe.Produce = append(pipe.Produce, func() error {
				defer last()
				for i, end := c.Part(w, n); i < end; i++ {
					r := s.record(i)
					if c.Scenario != harness.Broadcast {
						lanes[c.Lane(partitionOf(r, c.Partitions))] <- *r
						continue
					}
					for p := range c.Partitions {
						lanes[c.Lane(p)] <- *r
					}
				}
				return nil
			})
		}
		return pipe, nil
	}}
}

// batchesRow collects records in a batch for each partition, sends full batches, and reuses those that came back.
func batchesRow(p *pool, size int) harness.Row {
	fresh := func() []Record { return make([]Record, 0, size) }
	return harness.Row{Name: fmt.Sprintf("chan []T of %d", size), HandMade: true, Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
		if c.Scenario == harness.Broadcast {
			return batchesToAll(p, harness.NewFan(c, fresh), c, n), nil
		}
		var pipe harness.Pipe
		lanes := harness.NewRecyclers(c, fresh)
		for _, lane := range lanes {
			pipe.Consume = append(pipe.Consume, func() (t harness.Tally, _ error) {
				for batch := range lane.Full {
					tallyBatch(batch, &t)
					lane.Give(batch)
				}
				return t, nil
			})
		}
		last := harness.Last(c.Writers(), func() {
			for _, lane := range lanes {
				close(lane.Full)
			}
		})
		for w := range c.Writers() {
			s := p.source(c)
			pipe.Produce = append(pipe.Produce, func() error {
				defer last()
				open := make([][]Record, c.Partitions)
				for p := range open {
					open[p] = lanes[c.Lane(p)].Take()[:0]
				}
				for i, end := c.Part(w, n); i < end; i++ {
					r := s.record(i)
					p := partitionOf(r, len(open))
					batch := append(open[p], *r)
					if len(batch) == size {
						lane := lanes[c.Lane(p)]
						lane.Full <- batch
						batch = lane.Take()[:0]
					}
					open[p] = batch
				}
				for p, batch := range open {
					lanes[c.Lane(p)].Full <- batch
				}
				return nil
			})
		}
		return pipe, nil
	}}
}

// batchesToAll collects records in one batch and sends it to every partition.
func batchesToAll(p *pool, fan *harness.Fan[[]Record], c harness.Cell, n uint64) (pipe harness.Pipe) {
	for _, lane := range fan.Lanes {
		pipe.Consume = append(pipe.Consume, func() (t harness.Tally, _ error) {
			for batch := range lane {
				tallyBatch(batch.Buffer, &t)
				fan.Done(batch)
			}
			return t, nil
		})
	}
	s := p.source(c)
	pipe.Produce = append(pipe.Produce, func() error {
		defer fan.Close()
		open := fan.Take()
		batch := open.Buffer
		for i := range n {
			if batch = append(batch, *s.record(i)); len(batch) == cap(batch) {
				open.Buffer = batch
				fan.Send(open)
				open = fan.Take()
				batch = open.Buffer[:0]
			}
		}
		open.Buffer = batch
		fan.Send(open)
		return nil
	})
	return pipe
}

func tallyBatch(batch []Record, t *harness.Tally) {
	for i := range batch {
		t.Add(weigh(&batch[i]))
	}
}

// blocksRow encodes records into a block for each partition, sends full blocks, and reuses those that came back.
func blocksRow(p *pool, size int) harness.Row {
	fresh := func() []byte { return make([]byte, 0, size) }
	return harness.Row{Name: fmt.Sprintf("blocks of %d KiB", size>>10), HandMade: true, Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
		if c.Scenario == harness.Broadcast {
			return blocksToAll(p, harness.NewFan(c, fresh), c, n), nil
		}
		var pipe harness.Pipe
		lanes := harness.NewRecyclers(c, fresh)
		for _, lane := range lanes {
			pipe.Consume = append(pipe.Consume, func() (t harness.Tally, err error) {
				var r Record
				for block := range lane.Full {
					err = errors.Join(err, tallyBlock(block, &r, &t))
					lane.Give(block)
				}
				return t, err
			})
		}
		last := harness.Last(c.Writers(), func() {
			for _, lane := range lanes {
				close(lane.Full)
			}
		})
		for w := range c.Writers() {
			s := p.source(c)
			pipe.Produce = append(pipe.Produce, func() error {
				defer last()
				open := make([][]byte, c.Partitions)
				for p := range open {
					open[p] = lanes[c.Lane(p)].Take()[:0]
				}
				for i, end := c.Part(w, n); i < end; i++ {
					r := s.record(i)
					p := partitionOf(r, len(open))
					block := open[p]
					took := put(block[len(block):cap(block)], r)
					if took == 0 {
						lane := lanes[c.Lane(p)]
						lane.Full <- block
						block = lane.Take()[:0]
						took = put(block[:cap(block)], r)
					}
					open[p] = block[:len(block)+took]
				}
				for p, block := range open {
					lanes[c.Lane(p)].Full <- block
				}
				return nil
			})
		}
		return pipe, nil
	}}
}

// blocksToAll encodes records into one block and sends it to every partition.
func blocksToAll(p *pool, fan *harness.Fan[[]byte], c harness.Cell, n uint64) (pipe harness.Pipe) {
	for _, lane := range fan.Lanes {
		pipe.Consume = append(pipe.Consume, func() (t harness.Tally, err error) {
			var r Record
			for block := range lane {
				err = errors.Join(err, tallyBlock(block.Buffer, &r, &t))
				fan.Done(block)
			}
			return t, err
		})
	}
	s := p.source(c)
	pipe.Produce = append(pipe.Produce, func() error {
		defer fan.Close()
		open := fan.Take()
		block := open.Buffer
		for i := range n {
			r := s.record(i)
			took := put(block[len(block):cap(block)], r)
			if took == 0 {
				open.Buffer = block
				fan.Send(open)
				open = fan.Take()
				block = open.Buffer[:0]
				took = put(block[:cap(block)], r)
			}
			block = block[:len(block)+took]
		}
		open.Buffer = block
		fan.Send(open)
		return nil
	})
	return pipe
}

// exchangeRow moves records through generated writers and readers over an exchange with its default budget of memory. A shared consumer is
// one reader over the channels of all consumers. The options say when records become readable; without any, as soon as the reader is
// idle, like those of a channel.
func exchangeRow(p *pool, name string, opts ...writer.Option) harness.Row {
	return harness.Row{Name: name, Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
		return throughExchange(c, func(x *exchange.Exchange, w int) (func() error, error) {
			ctx, s := context.Background(), p.source(c)
			if c.Scenario == harness.Broadcast {
				out, err := NewRecordToAllWriter(x.Partition(w), opts...)
				return func() error {
					for i, end := c.Part(w, n); i < end; i++ {
						if err := out.Emit(ctx, s.record(i)); err != nil {
							return errors.Join(err, out.CloseWithError(err))
						}
					}
					return out.Close()
				}, err
			}
			out, err := NewRecordByKeyWriter(x.Partition(w), opts...)
			return func() error {
				for i, end := c.Part(w, n); i < end; i++ {
					if err := out.Emit(ctx, s.record(i)); err != nil {
						return errors.Join(err, out.CloseWithError(err))
					}
				}
				return out.Close()
			}, err
		})
	}}
}

// emitBatchRow is exchangeRow by batches: it fills one after the other in the same memory.
func emitBatchRow(p *pool, name string, opts ...writer.Option) harness.Row {
	return harness.Row{Name: name, Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
		return throughExchange(c, func(x *exchange.Exchange, w int) (func() error, error) {
			// One call per batch through an interface, and for both kinds of writers the same loop over the records.
			var out interface {
				EmitBatch(ctx context.Context, batch []Record) (int, error)
				Close() error
				CloseWithError(cause error) error
			}
			var err error
			if c.Scenario == harness.Broadcast {
				out, err = NewRecordToAllWriter(x.Partition(w), opts...)
			} else {
				out, err = NewRecordByKeyWriter(x.Partition(w), opts...)
			}
			ctx, s := context.Background(), p.source(c)
			return func() error {
				batch := make([]Record, 0, emitSize)
				for i, end := c.Part(w, n); i < end; i++ {
					if batch = append(batch, *s.record(i)); len(batch) < emitSize && i+1 < end {
						continue
					}
					if _, err := out.EmitBatch(ctx, batch); err != nil {
						return errors.Join(err, out.CloseWithError(err))
					}
					batch = batch[:0]
				}
				return out.Close()
			}, err
		})
	}}
}

// throughExchange makes a pipe of an exchange. producer returns the function of producer w.
func throughExchange(c harness.Cell, producer func(x *exchange.Exchange, w int) (func() error, error)) (pipe harness.Pipe, _ error) {
	ctx := context.Background()
	x, err := exchange.New(exchange.Config{Producers: c.Writers(), Consumers: c.Partitions})
	if err != nil {
		return pipe, err
	}
	for w := range c.Writers() {
		produce, err := producer(x, w)
		if err != nil {
			return pipe, err
		}
		pipe.Produce = append(pipe.Produce, produce)
	}
	for lane := range c.Lanes() {
		in, err := NewRecordReader(x.Gate(c.PartitionsOf(lane)...))
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
	pipe.Close = func() error { return x.Close(ctx) }
	return pipe, nil
}
