package loopback

import (
	"bufio"
	"context"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Records are the loops over the records of one shape. Each makes or takes all of them: the functions that it is given are called for blocks, buffers
// or messages.
type Records struct {
	// Size is the mean size of an encoded record.
	Size int
	// Sum is that of the shape.
	Sum func(c harness.Cell, n uint64) uint64

	// Blocks makes n records and encodes each into the open block of its partition, behind what is in it. It calls full with a block that has no room for
	// the next record, and at last with every block; full returns the block to go on with.
	Blocks func(c harness.Cell, n uint64, open [][]byte, full func(partition int, block []byte) ([]byte, error)) error
	// NewDecoder returns a function that adds the records of blocks to a tally. It is for one goroutine.
	NewDecoder func() func(block []byte, t *harness.Tally) error

	// Streams makes n records and encodes each into the buffer of its partition, which it flushes at last.
	Streams func(c harness.Cell, n uint64, out []*bufio.Writer) error
	// TallyStream decodes the records of a stream.
	TallyStream func(in *bufio.Reader) (harness.Tally, error)

	// Messages makes n records and sends each to its partition in a protobuf message; Batches sends messages of size records, and at last what is left. Both
	// reuse a message after send returned.
	Messages func(c harness.Cell, n uint64, send func(partition int, message any) error) error
	Batches  func(c harness.Cell, n uint64, size int, send func(partition int, message any) error) error
	// TallyMessages and TallyBatches receive messages until io.EOF.
	TallyMessages func(receive func(message any) error) (harness.Tally, error)
	TallyBatches  func(receive func(message any) error) (harness.Tally, error)

	// Exchange moves n records through generated writers and readers between the ends, under the flush policy of the options.
	Exchange func(ends Ends, c harness.Cell, n uint64, opts ...writer.Option) (harness.Pipe, error)
}

// Ends are both ends of an exchange that crosses a connection.
type Ends interface {
	// Output is what producer number i writes to.
	Output(i int) writer.Output
	// Gate reads the channels of the given partitions.
	Gate(partitions ...int) (*gate.Gate, error)
	// Close waits until everything is delivered and closes both ends and the connection.
	Close(ctx context.Context) error
}
