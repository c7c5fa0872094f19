package loopback

import (
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// Limit sends as many bytes as the records would take, with so many blocks of 32 KiB in one call, to a consumer that only counts them: what the
// connection itself allows.
func Limit(r Records, blocks int, encrypted bool) harness.Row {
	name, unit := "TCP", "32 KiB writes"
	if encrypted {
		name = "TLS"
	}
	if blocks > 1 {
		unit = fmt.Sprintf("writes of %d such blocks", blocks)
	}
	return harness.Row{
		Name: name + " itself, " + unit, Limit: true, Keeps: "bytes without records",
		Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
			links, err := dial(1, encrypted)
			if err != nil {
				return harness.Pipe{}, err
			}
			l, all := links[0], int64(n)*int64(r.Size)
			produce := func() error {
				if err := fill(l.out, all, blocks, encrypted); err != nil {
					return err
				}
				return l.out.CloseWrite()
			}
			consume := func() (harness.Tally, error) {
				buffer := make([]byte, readSize)
				for got := int64(0); ; {
					m, err := l.in.Read(buffer)
					got += int64(m)
					switch {
					case err == io.EOF && got == all:
						return harness.Tally{Count: n, Sum: r.Sum(c, n)}, nil
					case err == io.EOF:
						return harness.Tally{}, fmt.Errorf("%d bytes arrived, want %d", got, all)
					case err != nil:
						return harness.Tally{}, err
					}
				}
			}
			// One consumer whatever the cell.
			return newPipe(l.close, []func() error{produce}, []func() (harness.Tally, error){consume}), nil
		},
	}
}

// fill sends all bytes.
func fill(out conn, all int64, blocks int, joined bool) error {
	const size = 32 << 10
	whole := make([]byte, blocks*size)
	parts := slices.Collect(slices.Chunk(whole, size))
	calls := make([][]byte, len(parts))
	for all > 0 {
		n := min(all, int64(len(whole)))
		all -= n
		if joined || blocks == 1 || n < int64(len(whole)) {
			if _, err := out.Write(whole[:n]); err != nil {
				return err
			}
			continue
		}
		copy(calls, parts)
		buffers := net.Buffers(calls)
		if _, err := buffers.WriteTo(out); err != nil {
			return err
		}
	}
	return nil
}
