package loopback

import (
	"bufio"
	"errors"
	"io"

	"github.com/hashicorp/yamux"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// ConnectionEach has a connection for each partition, with a buffer on both ends.
func ConnectionEach(r Records) harness.Row {
	return harness.Row{
		Name: "connection per partition, bufio", Keeps: "the window of TCP for each partition; no acknowledgement, no resumption",
		Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
			links, err := dial(c.Partitions, false)
			if err != nil {
				return harness.Pipe{}, err
			}
			outs, ins := make([]io.WriteCloser, len(links)), make([]io.Reader, len(links))
			for p, l := range links {
				outs[p], ins[p] = half{l.out}, l.in
			}
			return streams(r, c, n, outs, ins, func() error { return closeAll(links) }), nil
		},
	}
}

// half closes only its own direction.
type half struct{ conn }

func (h half) Close() error { return h.CloseWrite() }

// Yamux has a stream of yamux for each partition, all over one connection, with a buffer on both ends of each.
func Yamux(r Records) harness.Row {
	return harness.Row{
		Name: "yamux streams, bufio", Keeps: "credit of 256 KiB for each partition; no acknowledgement, no resumption",
		Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
			m, err := newMux(c.Partitions, false)
			if err != nil {
				return harness.Pipe{}, err
			}
			return streams(r, c, n, m.outs, m.ins, m.close), nil
		},
	}
}

// mux are yamux streams over one connection.
type mux struct {
	outs  []io.WriteCloser
	ins   []io.Reader
	close func() error
}

func newMux(n int, encrypted bool) (_ mux, err error) {
	links, err := dial(1, encrypted)
	if err != nil {
		return mux{}, err
	}
	l := links[0]
	config := yamux.DefaultConfig()
	config.AcceptBacklog = max(config.AcceptBacklog, n)
	config.EnableKeepAlive = false
	config.LogOutput = io.Discard
	var sessions []*yamux.Session
	m := mux{close: func() (err error) {
		for _, s := range sessions {
			err = errors.Join(err, s.Close())
		}
		return errors.Join(err, l.close())
	}}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.close())
		}
	}()
	out, err := yamux.Client(l.out, config)
	if err != nil {
		return mux{}, err
	}
	sessions = append(sessions, out)
	in, err := yamux.Server(l.in, config)
	if err != nil {
		return mux{}, err
	}
	sessions = append(sessions, in)
	for range n {
		s, err := out.OpenStream()
		if err != nil {
			return mux{}, err
		}
		m.outs = append(m.outs, s)
		// Streams are accepted in the order in which they were opened.
		t, err := in.AcceptStream()
		if err != nil {
			return mux{}, err
		}
		m.ins = append(m.ins, t)
	}
	return m, nil
}

// buffered is the size of the buffers of streams. Smaller ones were slower in every cell.
const buffered = 32 << 10

// streams makes the pipe of a byte stream for each partition.
func streams(r Records, c harness.Cell, n uint64, outs []io.WriteCloser, ins []io.Reader, release func() error) harness.Pipe {
	writers, readers := make([]*bufio.Writer, len(outs)), make([]*bufio.Reader, len(ins))
	for p := range outs {
		writers[p], readers[p] = bufio.NewWriterSize(outs[p], buffered), bufio.NewReaderSize(ins[p], buffered)
	}
	produce := func() error {
		err := r.Streams(c, n, writers)
		for _, out := range outs {
			err = errors.Join(err, out.Close())
		}
		return err
	}
	consume := consumers(c, func(p int) (harness.Tally, error) { return r.TallyStream(readers[p]) })
	return newPipe(release, []func() error{produce}, consume)
}
