package main

import (
	"bufio"
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/examples/benchmarks/internal/loopback"
	"github.com/rwgen/rwgen/examples/benchmarks/records/kilo"
	"github.com/rwgen/rwgen/examples/benchmarks/records/sample"
	"github.com/rwgen/rwgen/examples/benchmarks/records/text"
	"github.com/rwgen/rwgen/examples/benchmarks/records/view"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

// floorOf returns the shape of the table in process that has the same records.
func floorOf(t *testing.T, name string) harness.Shape {
	t.Helper()
	for _, tab := range tables() {
		if tab.name == name {
			return tab.shape
		}
	}
	t.Fatalf("no table %s", name)
	return harness.Shape{}
}

// TestTCPRowsMoveEveryRecordToItsPartition compares what each consumer saw with what the floor counted for it in process.
func TestTCPRowsMoveEveryRecordToItsPartition(t *testing.T) {
	for _, encrypted := range []bool{false, true} {
		for _, tab := range tcpTables(encrypted) {
			shape := floorOf(t, tab.name)
			for _, c := range tab.cells {
				for _, n := range counts(c) {
					want := place(t, shape, c, n)
					for _, r := range tab.shape.Rows {
						if r.Limit {
							continue
						}
						_, got, err := harness.Run(r, c, n)
						if err != nil {
							t.Fatalf("%s %s, %s, %d records: %v", tab.name, c, r.Name, n, err)
						}
						if len(got) != len(want) {
							t.Fatalf("%s %s, %s, %d records: %d consumers, want %d", tab.name, c, r.Name, n, len(got), len(want))
						}
						for lane := range want {
							if got[lane] != want[lane] {
								t.Errorf("%s %s, %s, %d records: consumer %d saw %+v, want %+v", tab.name, c, r.Name, n, lane, got[lane], want[lane])
							}
						}
					}
				}
			}
		}
	}
}

// TestTCPLimitCountsBytes checks that the rows without records pass the check of Measure, with writes that are short, whole and several.
func TestTCPLimitCountsBytes(t *testing.T) {
	for _, encrypted := range []bool{false, true} {
		tab := tcpTables(encrypted)[2]
		for _, r := range tab.shape.Rows {
			for _, n := range []uint64{0, 1, 32, 16 * 32, 2003} {
				if !r.Limit {
					continue
				}
				if _, err := harness.Measure(tab.shape, r, harness.Cell{Partitions: 4}, n); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestTCPRowsEndWhenAConsumerFails shows that a row returns the error of a consumer, and does not wait for a producer that nobody reads from.
func TestTCPRowsEndWhenAConsumerFails(t *testing.T) {
	broken := errors.New("broken consumer")
	r := sample.OverTCP()
	r.NewDecoder = func() func([]byte, *harness.Tally) error {
		return func([]byte, *harness.Tally) error { return broken }
	}
	r.TallyStream = func(*bufio.Reader) (harness.Tally, error) { return harness.Tally{}, broken }
	fail := func(func(any) error) (harness.Tally, error) { return harness.Tally{}, broken }
	r.TallyMessages, r.TallyBatches = fail, fail
	for _, encrypted := range []bool{false, true} {
		for _, row := range tcpRows(r, encrypted) {
			for _, c := range tcpCells[:2] {
				if row.Limit || row.Name == "rwgen" { // its readers decode by themselves
					continue
				}
				if _, _, err := harness.Run(row, c, 1_000_000); !errors.Is(err, broken) {
					t.Errorf("%s at %s returned %v", row.Name, c, err)
				}
			}
		}
	}
}

// inProcess are the ends of an exchange without a connection.
type inProcess struct{ x *exchange.Exchange }

func (e inProcess) Output(i int) writer.Output                 { return e.x.Partition(i) }
func (e inProcess) Gate(partitions ...int) (*gate.Gate, error) { return e.x.Gate(partitions...), nil }
func (e inProcess) Close(ctx context.Context) error            { return e.x.Close(ctx) }

// TestExchangeBetweenEnds checks the loops of generated writers and readers.
func TestExchangeBetweenEnds(t *testing.T) {
	for name, r := range map[string]loopback.Records{"16B": sample.OverTCP(), "100B": text.OverTCP(), "100B-view": view.OverTCP(), "1KiB": kilo.OverTCP()} {
		for _, c := range tcpCells[:4] {
			row := harness.Row{Name: "exchange", Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
				x, err := exchange.New(exchange.Config{Producers: 1, Consumers: c.Partitions})
				if err != nil {
					return harness.Pipe{}, err
				}
				return r.Exchange(inProcess{x}, c, n)
			}}
			if _, err := harness.Measure(harness.Shape{Sum: r.Sum}, row, c, 5003); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestTCPCommandPrintsEveryRow checks the tables that the command prints over TCP and TLS.
func TestTCPCommandPrintsEveryRow(t *testing.T) {
	for _, encrypted := range []bool{false, true} {
		args := []string{"-tcp", "-rounds", "1", "-time", "1ms", "-shapes", "16B|1KiB", "-cells", "P=4$"}
		if encrypted {
			args = append(args, "-tls")
		}
		var out, errs strings.Builder
		if code := mainCode(t.Context(), args, &out, &errs); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		for _, tab := range tcpTables(encrypted) {
			for _, r := range tab.shape.Rows {
				keeps := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(r.Name) + ` \| [^|]{8,} \|$`)
				if got := keeps.FindAllString(out.String(), -1); len(got) != 1 {
					t.Errorf("what %s keeps is said %d times:\n%s", r.Name, len(got), out.String())
				}
				line := regexp.MustCompile(`(?m)^\| P=4 \| ` + regexp.QuoteMeta(r.Name) + ` \| \d+ \| \S+ \| \d+\.\d+ \| \d+\.\d+ \| \S+ \|$`)
				if got := line.FindAllString(out.String(), -1); len(got) != 2 {
					t.Errorf("%d lines for %s in two tables:\n%s", len(got), r.Name, out.String())
				}
			}
		}
	}
}

// TestTCPLatency checks that the table has a row for each way.
func TestTCPLatency(t *testing.T) {
	for _, encrypted := range []bool{false, true} {
		args := []string{"-tcp", "-latency", "-rounds", "1", "-time", "10ms"}
		if encrypted {
			args = append(args, "-tls")
		}
		var out, errs strings.Builder
		if code := mainCode(t.Context(), args, &out, &errs); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		for _, p := range tcpWays(encrypted) {
			line := `(?m)^\| ` + regexp.QuoteMeta(p.name) + ` \| \d+ \| \d+ \| \d+\.\d+ \| \d+\.\d+ \|$`
			if !regexp.MustCompile(line).MatchString(out.String()) {
				t.Errorf("no line for %s:\n%s", p.name, out.String())
			}
		}
	}
}
