package loopback

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// batch is the number of records in a message of the row with several.
const batch = 256

const grpcKeeps = "credit of 256 KiB for each partition; no acknowledgement, no resumption"

// Messages sends each record in a protobuf message of its own through a gRPC stream for each partition.
func Messages(r Records) harness.Row {
	return messageRow("gRPC, a record a message", r.Messages, r.TallyMessages)
}

// Batches sends records by 256 in a protobuf message through a gRPC stream for each partition.
func Batches(r Records) harness.Row {
	return messageRow(fmt.Sprintf("gRPC, %d records a message", batch), func(c harness.Cell, n uint64, send func(int, any) error) error {
		return r.Batches(c, n, batch, send)
	}, r.TallyBatches)
}

func messageRow(name string, produce func(c harness.Cell, n uint64, send func(partition int, message any) error) error,
	tally func(receive func(message any) error) (harness.Tally, error)) harness.Row {
	return harness.Row{
		Name: name, Keeps: grpcKeeps,
		Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
			calls, err := dialGRPC(c.Partitions, false, nil)
			if err != nil {
				return harness.Pipe{}, err
			}
			consume := consumers(c, func(p int) (harness.Tally, error) { return tally(calls.ins[p].RecvMsg) })
			return newPipe(calls.close, []func() error{func() error {
				return calls.end(produce(c, n, func(p int, message any) error { return calls.outs[p].SendMsg(message) }))
			}}, consume), nil
		},
	}
}

// RawMessages encodes into a block of 32 KiB for each partition and sends each full block as a message, by a codec that leaves it as it is, through a gRPC
// stream for each partition.
func RawMessages(r Records) harness.Row {
	return harness.Row{
		Name: "gRPC, raw blocks of 32 KiB", Keeps: grpcKeeps,
		Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
			blocks := newBlockPool(c.Partitions, 32<<10)
			calls, err := dialGRPC(c.Partitions, false, &rawCodec{blocks})
			if err != nil {
				return harness.Pipe{}, err
			}
			open := make([][]byte, c.Partitions)
			for p := range open {
				open[p] = blocks.take()
			}
			produce := func() error {
				return calls.end(r.Blocks(c, n, open, func(p int, block []byte) ([]byte, error) {
					if len(block) == 0 {
						return block, nil
					}
					if err := calls.outs[p].SendMsg(&block); err != nil {
						return nil, err
					}
					return blocks.take(), nil
				}))
			}
			consume := consumers(c, func(p int) (t harness.Tally, _ error) {
				var block []byte
				decode := r.NewDecoder()
				for {
					if err := calls.ins[p].RecvMsg(&block); err != nil {
						return t, ignoreEOF(err)
					}
					if err := decode(block, &t); err != nil {
						return t, err
					}
				}
			})
			return newPipe(calls.close, []func() error{produce}, consume), nil
		},
	}
}

// grpcCalls are calls over one connection, in which a server sends messages to a client, one call for each partition.
type grpcCalls struct {
	outs  []grpc.ServerStream
	ins   []grpc.ClientStream
	ended chan error // what the calls return
	close func() error
}

// end ends all calls: with an error, or with that of the producer.
func (c *grpcCalls) end(err error) error {
	for range c.outs {
		c.ended <- err
	}
	return err
}

// partitionKey is the key of the metadata that say which partition a call is for.
const partitionKey = "partition"

// dialGRPC makes n calls, with the codec if it is not nil.
func dialGRPC(n int, encrypted bool, codec *rawCodec) (_ *grpcCalls, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	type begun struct {
		partition int
		stream    grpc.ServerStream
	}
	arrived := make(chan begun, n)
	c := &grpcCalls{outs: make([]grpc.ServerStream, n), ins: make([]grpc.ClientStream, n), ended: make(chan error, n)}
	server, client, err := grpcOptions(encrypted, codec)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s := grpc.NewServer(server...)
	const name, method = "loopback.Exchange", "Read"
	s.RegisterService(&grpc.ServiceDesc{ServiceName: name, HandlerType: (*any)(nil), Streams: []grpc.StreamDesc{{
		StreamName: method, ServerStreams: true,
		Handler: func(_ any, stream grpc.ServerStream) error {
			md, _ := metadata.FromIncomingContext(stream.Context())
			p, err := strconv.Atoi(md.Get(partitionKey)[0])
			if err != nil {
				return err
			}
			arrived <- begun{p, stream}
			select {
			case err := <-c.ended:
				return err
			case <-stream.Context().Done():
				return stream.Context().Err()
			}
		},
	}}}, nil)
	var serving sync.WaitGroup
	serving.Go(func() { _ = s.Serve(listener) }) // ends when the server stops
	ctx, cancel := context.WithCancel(context.Background())
	conn, err := grpc.NewClient(listener.Addr().String(), client...)
	c.close = func() error {
		cancel()
		var err error
		if conn != nil {
			err = conn.Close()
		}
		s.Stop()
		serving.Wait()
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	if err != nil {
		return nil, err
	}
	desc := &grpc.StreamDesc{StreamName: method, ServerStreams: true}
	for p := range c.ins {
		ctx := metadata.AppendToOutgoingContext(ctx, partitionKey, strconv.Itoa(p))
		if c.ins[p], err = conn.NewStream(ctx, desc, "/"+name+"/"+method); err != nil {
			return nil, err
		}
		b := <-arrived
		c.outs[b.partition] = b.stream
	}
	return c, nil
}

// grpcOptions are those of a server and a client for throughput: windows of a fixed size, which were faster than those that gRPC finds by measuring, and
// buffers of the default size, than which larger ones were slower.
func grpcOptions(encrypted bool, codec *rawCodec) (server []grpc.ServerOption, client []grpc.DialOption, err error) {
	const window, connWindow, buffer = 256 << 10, 16 << 20, 32 << 10
	inClear := insecure.NewCredentials()
	server = []grpc.ServerOption{
		grpc.InitialWindowSize(window), grpc.InitialConnWindowSize(connWindow), grpc.ReadBufferSize(buffer), grpc.WriteBufferSize(buffer),
	}
	client = []grpc.DialOption{
		grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(connWindow), grpc.WithReadBufferSize(buffer), grpc.WithWriteBufferSize(buffer),
	}
	if codec != nil {
		server = append(server, grpc.ForceServerCodecV2(codec))
		client = append(client, grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec)))
	}
	if !encrypted {
		return append(server, grpc.Creds(inClear)), append(client, grpc.WithTransportCredentials(inClear)), nil
	}
	own, trusted, err := tlsConfigs()
	return append(server, grpc.Creds(credentials.NewTLS(own))), append(client, grpc.WithTransportCredentials(credentials.NewTLS(trusted))), err
}
