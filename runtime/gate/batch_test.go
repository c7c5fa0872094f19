package gate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
)

// TestBatchIsNext: batches of any size give the records that Next gives, in the same order, with channels in turn and frames cut anywhere.
func TestBatchIsNext(t *testing.T) {
	for seed := range uint64(50) {
		read := func(size int) (out []string) {
			r := rand.New(rand.NewPCG(seed, 1))
			n := newNet(t, 3, 1)
			for range 20 {
				f := n.feeds[r.IntN(3)]
				var data []byte
				for range r.IntN(6) {
					data = append(data, frame([]byte(strings.Repeat("x", r.IntN(9))))...)
				}
				f.send(0, data, 1+r.IntN(30))
			}
			for _, f := range n.feeds {
				_ = f.part.Finish()
			}
			reader := newReader(t, n.gate(gate.Config{}, 0))
			dst := make([]raw, size)
			for {
				k := 0
				var err error
				if size > 0 {
					k, err = reader.NextBatch(t.Context(), dst)
				} else {
					dst = make([]raw, 1)
					var ok bool
					if ok, err = reader.Next(t.Context(), &dst[0]); ok {
						k = 1
					}
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range dst[:k] {
					out = append(out, string(v.data))
				}
				if k == 0 {
					break
				}
				out[len(out)-1] += fmt.Sprint(reader.Last())
			}
			_ = reader.Close()
			n.close()
			return out
		}
		plain := func(lines []string) string {
			for i, s := range lines {
				lines[i], _, _ = strings.Cut(s, "{")
			}
			return strings.Join(lines, ",")
		}
		want := read(0)
		if got := read(1); strings.Join(got, ",") != strings.Join(want, ",") {
			t.Fatalf("seed %d: batches of one\ngot  %v\nwant %v", seed, got, want)
		}
		for _, size := range []int{2, 7, 1000} {
			if got := plain(read(size)); got != plain(want) {
				t.Fatalf("seed %d, batches of %d\ngot  %v\nwant %v", seed, size, got, want)
			}
		}
	}
}

// batch reads one batch and returns it with what the handlers were told meanwhile.
func (j *journal) batch(size int) string {
	j.t.Helper()
	dst := make([]raw, size)
	n, err := j.reader.NextBatch(j.t.Context(), dst)
	told := strings.Join(j.lines, "; ")
	j.lines = nil
	s := ""
	for _, v := range dst[:n] {
		s += string(v.data)
	}
	if err != nil {
		return fmt.Sprintf("%s(%d) %v %s", s, n, err, told)
	}
	return fmt.Sprintf("%s(%d) %s", s, n, told)
}

// TestBatchStopsAtHandlers: when a handler is called, the user has worked on all records before.
func TestBatchStopsAtHandlers(t *testing.T) {
	n := newNet(t, 2, 1)
	a, b, j := n.feeds[0], n.feeds[1], &journal{t: t}
	j.open(n.gate(gate.Config{}, 0))
	want := func(size int, want string) {
		t.Helper()
		if got := j.batch(size); strings.TrimSpace(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	a.send(0, append(frame([]byte("a")), frame([]byte("b"))...), 100)
	a.send(0, frame([]byte("c")), 100)
	must(t, a.part.Event(0, user("x")))
	a.send(0, frame([]byte("d")), 100)
	want(0, "(0) gate: no room for a record in the batch")
	want(2, "ab(2)")
	want(10, "c(1)")
	want(10, `d(1) event "x" {0 0 3}`)
	must(t, b.part.Watermark(8))
	must(t, b.part.Flush())
	must(t, a.part.Watermark(9))
	a.send(0, frame([]byte("e")), 100) // carries the watermark
	a.send(0, frame([]byte("f")), 100)
	want(10, "e(1)")
	want(10, "f(1) watermark 8")
	_ = b.part.Finish()
	a.send(0, frame([]byte("g")), 100)
	want(10, "g(1) watermark 9")
	_ = a.part.Finish()
	want(10, "(0) watermark end")
	want(10, "(0)")
	must(t, j.reader.Close())
	n.close()
}

// TestUnhandledEvent: a reader that leaves with an event that it has taken and not handled has dropped it.
func TestUnhandledEvent(t *testing.T) {
	n := newNet(t, 1, 1)
	f, j := n.feeds[0], &journal{t: t}
	j.open(n.gate(gate.Config{}, 0))
	f.send(0, frame([]byte("a")), 100)
	must(t, f.part.Event(0, user("x")))
	if got, want := j.batch(10), "a(1) "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	must(t, j.reader.Close())
	if err := f.part.Finish(); !errors.Is(err, partition.ErrConsumerGone) || !strings.Contains(err.Error(), "0 bytes and 1 user events were dropped") {
		t.Error(err)
	}
	n.close()
}

// TestBatchErrors: what was read before an error is returned without it, and the next call returns it.
func TestBatchErrors(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault func(n *net)
		is    error
	}{
		{"a record that cannot be decoded", func(n *net) { n.feeds[0].send(0, frame([]byte{0xff}), 100) }, errBad},
		{"in the same chunk", func(n *net) {
			n.feeds[0].send(0, append(frame([]byte("c")), frame([]byte{0xff})...), 100)
		}, errBad},
		{"a control frame", func(n *net) { n.feeds[0].send(0, []byte{0x80, 0, 0, 1, 0}, 100) }, gate.ErrCorrupt},
		{"a failed producer", func(n *net) { _ = n.feeds[0].part.Fail(errBad) }, errBad},
		{"an event without a handler", func(n *net) { _ = n.feeds[0].part.Event(0, user("x")) }, gate.ErrEvent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := newNet(t, 1, 1)
			r := newReader(t, n.gate(gate.Config{}, 0))
			n.feeds[0].send(0, append(frame([]byte("a")), frame([]byte("b"))...), 100)
			tt.fault(n)
			dst := make([]raw, 10)
			if k, err := r.NextBatch(t.Context(), dst); k < 2 || err != nil {
				t.Errorf("the first batch: %d, %v", k, err)
			}
			for range 2 {
				if k, err := r.NextBatch(t.Context(), dst); k != 0 || !errors.Is(err, tt.is) {
					t.Errorf("after it: %d, %v; want %v", k, err, tt.is)
				}
			}
			_ = r.Close()
			n.close()
		})
	}
}

// TestBatchDoesNotWait: NextBatch waits for its first record only, and Cancel between two of them is told later.
func TestBatchDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNet(t, 1, 1)
		g := n.gate(gate.Config{}, 0)
		r := newReader(t, g)
		go func() {
			time.Sleep(time.Second)
			n.feeds[0].send(0, frame([]byte("a")), 100)
		}()
		start := time.Now()
		if k, err := r.NextBatch(t.Context(), make([]raw, 10)); k != 1 || err != nil || time.Since(start) != time.Second {
			t.Errorf("%d records after %v, %v", k, time.Since(start), err)
		}
		n.feeds[0].send(0, append(frame([]byte("b")), frame([]byte("c"))...), 100)
		if ok, err := r.Next(t.Context(), new(raw)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		g.Cancel(errBad)
		if k, err := r.NextBatch(t.Context(), make([]raw, 10)); k != 1 || err != nil {
			t.Errorf("what is there after Cancel: %d, %v", k, err)
		}
		if k, err := r.NextBatch(t.Context(), make([]raw, 10)); k != 0 || !errors.Is(err, errBad) {
			t.Errorf("then: %d, %v", k, err)
		}
		_ = r.Close()
		n.close()
	})
}

// TestTryNext: no record, a record, the end, an error; and records that wait until the reader is idle.
func TestTryNext(t *testing.T) {
	n := newNetOf(t, 1, 1, partition.WhenIdle(time.Hour))
	r := newReader(t, n.gate(gate.Config{}, 0))
	try := func(ok, ended bool) {
		t.Helper()
		gotOK, gotEnded, err := r.TryNext(new(raw))
		if gotOK != ok || gotEnded != ended || err != nil {
			t.Errorf("TryNext returns %v, %v, %v; want %v, %v", gotOK, gotEnded, err, ok, ended)
		}
	}
	try(false, false)
	n.feeds[0].emit(0, []byte("a"))
	try(true, false)
	try(false, false)
	_ = n.feeds[0].part.Finish()
	try(false, true)
	try(false, true)
	_ = r.Close()
	if _, _, err := r.TryNext(new(raw)); !errors.Is(err, gate.ErrClosed) {
		t.Error(err)
	}
	n.close()
}

// TestBacklog counts what can be read, in the current chunk and in the queues.
func TestBacklog(t *testing.T) {
	n := newNet(t, 2, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	want := func(bytes int64) {
		t.Helper()
		if got := r.Backlog(); got != bytes {
			t.Errorf("the backlog is %d bytes, want %d", got, bytes)
		}
	}
	want(0)
	n.feeds[0].send(0, append(frame([]byte("a")), frame([]byte("b"))...), 100)
	n.feeds[1].send(0, frame([]byte("c")), 100)
	want(15)
	for left := range 3 {
		if ok, err := r.Next(t.Context(), new(raw)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		want(int64(10 - 5*left))
	}
	_ = r.Close()
	want(0)
	n.close()
}
