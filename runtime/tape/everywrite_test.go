package tape_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/writer"
)

// script is a file whose n-th call of Write or Sync goes wrong, once, in a way that has a name. All calls after it are good, and must not come.
type script struct {
	bytes.Buffer
	fails int    // the number of that call, from 0
	how   string // "error", "part", "short", "more", "negative", "sync"
	calls int
	after int // calls after the bad one
}

var errScript = fmt.Errorf("the script: %w", syscall.ENOSPC)

func (s *script) bad() bool {
	s.calls++
	if s.calls-1 > s.fails {
		s.after++
	}
	return s.calls-1 == s.fails
}

func (s *script) Write(b []byte) (int, error) {
	if !s.bad() {
		return s.Buffer.Write(b)
	}
	switch s.how {
	case "part":
		n, _ := s.Buffer.Write(b[:len(b)/2])
		return n, errScript
	case "short":
		return s.Buffer.Write(b[:len(b)/2])
	case "more":
		return len(b) + 1, nil
	case "negative":
		return -1, nil
	}
	return 0, errScript
}

func (s *script) Sync() error {
	if s.bad() {
		return errScript
	}
	return nil
}

// everything writes records of all kinds, events, watermarks and idleness to three lanes, up to the first error, and closes the writer. It returns that error, and what was accepted by lane.
func everything(t *testing.T, out partition.Output, close func(*writer.Writer[item]) error) (accepted [3][]string, told error) {
	t.Helper()
	w, err := writer.New(out, items(t), byLane())
	if err != nil {
		return accepted, err
	}
	each := func(n uint32) error {
		v := item{Lane: n % 3, Number: n, Pad: make([]byte, n%7)}
		if n%10 == 7 {
			v.Pad = make([]byte, 900) // not in a block
		}
		if err := w.Emit(t.Context(), &v); err != nil {
			return err
		}
		accepted[v.Lane] = append(accepted[v.Lane], v.String())
		switch n % 11 {
		case 1:
			return w.Flush()
		case 2:
			return w.Core().Advance(int64(n))
		case 3:
			return writer.SendEvent(w, items(t), &v)
		case 4:
			return w.Core().Idle(n%2 == 0)
		case 5:
			return w.Core().Mark()
		case 6:
			v := item{Lane: 9, Number: n, Pad: make([]byte, 700)}
			if err := w.Broadcast(t.Context(), &v); err != nil {
				return err
			}
			for lane := range accepted {
				accepted[lane] = append(accepted[lane], v.String())
			}
		}
		return nil
	}
	for n := uint32(0); n < 60 && told == nil; n++ {
		told = each(n)
	}
	if told == nil {
		told = w.Core().EndOfData(true)
	}
	if err := close(w); told == nil {
		told = err
	}
	return accepted, told
}

// TestFaultAtEveryCall lets every single call of Write and Sync go wrong in every way, of a tape alone and of a tee, closed or failed: the writer is told with a WriteError, nothing is written after it, and what is
// on the disk is the beginning of the tape, which is read as far as it is whole.
func TestFaultAtEveryCall(t *testing.T) {
	why := errors.New("why")
	closings := map[string]func(*writer.Writer[item]) error{
		"closed": func(w *writer.Writer[item]) error { return w.Close() },
		"failed": func(w *writer.Writer[item]) error { return w.CloseWithError(why) },
	}
	topology := selector.Topology{Producers: 1, Consumers: 3}
	for closing, close := range closings {
		alone := func(t *testing.T, f io.Writer) ([3][]string, error) {
			rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: topology, MemoryBytes: 4 << 10}, f, tape.WithID(3), tape.SyncOnFlush())
			if err != nil {
				t.Fatal(err)
			}
			return everything(t, rec, close)
		}
		tee := func(t *testing.T, f io.Writer) ([3][]string, error) {
			x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 3})
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 3)
			for i := range 3 {
				r, err := gate.NewReader(x.Gate(i), items(t), gate.OnEvent(items(t), func(gate.Origin, *item) error { return nil }))
				if err != nil {
					t.Fatal(err)
				}
				go func() {
					var v item
					for {
						if ok, err := r.Next(t.Context(), &v); !ok {
							done <- errors.Join(err, r.Close())
							return
						}
					}
				}()
			}
			accepted, told := everything(t, tape.NewTee(x.Partition(0), f, tape.WithID(3), tape.SyncOnFlush()), close)
			for range 3 {
				err := <-done
				var producer *partition.ProducerError
				if err != nil && !errors.As(err, &producer) {
					t.Errorf("a reader got %v", err)
				}
			}
			if err := x.Close(t.Context()); err != nil {
				t.Error(err)
			}
			return accepted, told
		}
		for kind, in := range map[string]func(*testing.T, io.Writer) ([3][]string, error){"alone": alone, "tee": tee} {
			// With a clock of its own each run writes the same bytes.
			run := func(f io.Writer) (accepted [3][]string, told error) {
				synctest.Test(t, func(t *testing.T) { accepted, told = in(t, f) })
				return accepted, told
			}
			good := &script{fails: -1}
			want, told := run(good)
			if told != nil {
				t.Fatalf("%s %s: %v", kind, closing, told)
			}
			if good.calls < 10 {
				t.Fatalf("%s %s: only %d calls", kind, closing, good.calls)
			}
			for call := range good.calls {
				for _, how := range []string{"error", "part", "short", "more", "negative"} {
					f := &script{fails: call, how: how}
					_, told := run(f)
					var bad *tape.WriteError
					if !errors.As(told, &bad) || !errors.Is(told, tape.ErrWrite) || f.after > 0 {
						t.Fatalf("%s %s: call %d, %s: told %v, %d calls after it", kind, closing, call, how, told, f.after)
					}
					if how == "error" && !errors.Is(told, syscall.ENOSPC) || bad.Op == "write" && how == "short" && !errors.Is(told, io.ErrShortWrite) {
						t.Fatalf("%s %s: call %d, %s: %v", kind, closing, call, how, told)
					}
					if bad.Offset != int64(f.Len()) || !bytes.Equal(f.Bytes(), good.Bytes()[:f.Len()]) {
						t.Fatalf("%s %s: call %d, %s: %d bytes on the disk, said to be %d", kind, closing, call, how, f.Len(), bad.Offset)
					}
					tp, err := tape.New(bytes.NewReader(f.Bytes()), int64(f.Len()), tape.Config{})
					if err != nil {
						if !errors.Is(err, tape.ErrTruncated) {
							t.Fatalf("%s %s: call %d, %s: %v", kind, closing, call, how, err)
						}
						continue
					}
					by, err := contents(t.Context(), t, tp)
					var failed *partition.ProducerError
					if err != nil && !errors.Is(err, tape.ErrTruncated) && !errors.As(err, &failed) {
						t.Fatalf("%s %s: call %d, %s: %v", kind, closing, call, how, err)
					}
					for lane := range by {
						if n := len(by[lane]); n > len(want[lane]) || !slices.Equal(by[lane], want[lane][:n]) {
							t.Fatalf("%s %s: call %d, %s: lane %d is %v", kind, closing, call, how, lane, by[lane])
						}
					}
				}
			}
		}
	}
}

// TestStickyAfterTransientFault: a disk that has room again does not get what would not fit to what it has.
func TestStickyAfterTransientFault(t *testing.T) {
	f := &script{fails: 2, how: "error"}
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 3}}, f)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	for n := range uint32(5) {
		_ = w.Emit(t.Context(), &item{Number: n})
		_ = w.Flush()
	}
	first := rec.Err()
	var bad *tape.WriteError
	if !errors.As(first, &bad) {
		t.Fatalf("%v", first)
	}
	for name, err := range map[string]error{
		"Flush": w.Flush(), "Watermark": w.Watermark(time.UnixMicro(9)), "Idle": w.Core().Idle(true), "SendEvent": writer.SendEvent(w, items(t), &item{}), "Close": w.Close(),
	} {
		if !errors.Is(err, bad) && !errors.Is(err, writer.ErrClosed) {
			t.Errorf("%s: %v, want %v", name, err, first)
		}
	}
	if f.after > 0 {
		t.Errorf("%d calls after the error", f.after)
	}
}
