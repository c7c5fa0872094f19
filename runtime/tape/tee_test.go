package tape_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/writer"
)

// policies are all flush policies, with short delays.
func policies() []writer.Option {
	return []writer.Option{nil, writer.FlushOnFull(), writer.FlushEveryRecord(), writer.FlushAfter(time.Millisecond), writer.FlushWhenIdle(time.Millisecond)}
}

// readAll reads one consumer to its end.
func readAll(ctx context.Context, t testing.TB, g *gate.Gate) (got []string, err error) {
	r, err := gate.NewReader(g, items(t), gate.IgnoreEvents())
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var v item
	for {
		ok, err := r.Next(ctx, &v)
		if !ok {
			return got, err
		}
		got = append(got, v.String())
	}
}

// drain reads all consumers of an edge at once, by consumer.
func drain(ctx context.Context, t testing.TB, consumers int, g func(...int) *gate.Gate) ([][]string, error) {
	var wg sync.WaitGroup
	got, errs := make([][]string, consumers), make([]error, consumers)
	for i := range consumers {
		wg.Go(func() { got[i], errs[i] = readAll(ctx, t, g(i)) })
	}
	wg.Wait()
	return got, errors.Join(errs...)
}

// program emits records in every way there is, chosen at random.
func program(ctx context.Context, rnd *rand.Rand, w *writer.Writer[item], lanes, records, size int) error {
	make1 := func(n int) item {
		v := item{Lane: uint32(rnd.IntN(lanes)), Number: uint32(n), Pad: make([]byte, rnd.IntN(size))}
		if rnd.IntN(50) == 0 {
			v.Pad = make([]byte, rnd.IntN(20*size))
		}
		return v
	}
	for n := 0; n < records; n++ {
		v := make1(n)
		var err error
		switch rnd.IntN(8) {
		case 0:
			batch := []item{v, make1(n + 1), make1(n + 2), make1(n + 3)}
			_, err = w.EmitBatch(ctx, batch)
			n += 3
		case 1:
			for {
				full, e := w.TryEmit(&v)
				if err = e; full < 0 || err != nil {
					break
				}
				<-w.Ready(full)
			}
		case 2:
			if lanes > 1 {
				err = w.Broadcast(ctx, &v)
			}
		case 3:
			if rnd.IntN(20) == 0 {
				err = w.Flush()
			}
		default:
			err = w.Emit(ctx, &v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestTee checks over random programs, with all flush policies, that a tape has what the readers got: the same records in the same order, in each lane.
func TestTee(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		consumers, policy := 1+rnd.IntN(5), policies()[rnd.IntN(5)]
		x, err := exchange.New(exchange.Config{Producers: 1, Consumers: consumers, MemoryBytes: int64(64+rnd.IntN(512)) << 10})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		var failed error
		var wg sync.WaitGroup
		wg.Go(func() {
			w, err := writer.New(tape.NewTee(x.Partition(0), &file), items(t), byLane(), policy, writer.WithName("tee"))
			if err == nil {
				err = errors.Join(program(t.Context(), rnd, w, consumers, 2000, 100), w.Close())
				if s := w.Stats(); s.Name != "tee" || s.Records == 0 {
					err = errors.Join(err, fmt.Errorf("stats %+v", s))
				}
			}
			failed = err
		})
		got, err := drain(t.Context(), t, consumers, x.Gate)
		wg.Wait()
		if err := errors.Join(err, failed, x.Close(t.Context())); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		tp := open(t, file.Bytes())
		taped, err := contents(t.Context(), t, tp)
		if err != nil || !reflect.DeepEqual(got, taped) {
			t.Fatalf("seed %d: the tape has %d records, the readers got %d: %v", seed, total(taped), total(got), err)
		}
		if err := tp.Verify(t.Context()); err != nil {
			t.Fatalf("seed %d: verify: %v", seed, err)
		}
		for lane, n := range tp.Records() {
			if n != uint64(len(got[lane])) {
				t.Errorf("seed %d: lane %d has %d records, the end says %d", seed, lane, len(got[lane]), n)
			}
		}
	}
}

// TestTeeOfBroadcastWriter checks that what all channels share is recorded once, in one lane.
func TestTeeOfBroadcastWriter(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 3, MemoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := writer.New(tape.NewTee(x.Partition(0), &file), items(t), writer.WithSelector(selector.Broadcast[item]()))
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint32(100) {
		if err := w.Emit(t.Context(), &item{Number: n, Pad: make([]byte, 20*n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := drain(t.Context(), t, 3, x.Gate)
	if err := errors.Join(err, x.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	tp := open(t, file.Bytes())
	if h := tp.Header(); h.Lanes != 1 || h.Topology.Consumers != 3 || h.Selection != selector.KindBroadcast || h.Record != "item" {
		t.Errorf("header %+v", h)
	}
	taped, err := contents(t.Context(), t, tp)
	if err != nil || !reflect.DeepEqual(got[2], taped[0]) {
		t.Errorf("the tape has %d records, a reader got %d: %v", len(taped[0]), len(got[2]), err)
	}
}

// TestTeeOfCanceledExchange checks that the tape of a writer that was stopped does not look whole.
func TestTeeOfCanceledExchange(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w := newWriter(t, tape.NewTee(x.Partition(0), &file))
	if err := w.Emit(t.Context(), &item{}); err != nil {
		t.Fatal(err)
	}
	x.Cancel(errors.New("no more"))
	if err := w.Emit(t.Context(), &item{Number: 1}); !errors.Is(err, partition.ErrCanceled) {
		t.Errorf("emit: %v", err)
	}
	if err := w.Close(); !errors.Is(err, partition.ErrCanceled) {
		t.Errorf("close: %v", err)
	}
	_ = x.Close(t.Context()) // the channel was never read
	var failed *tape.FailedError
	by, err := contents(t.Context(), t, open(t, file.Bytes()))
	if n := total(by); n < 1 || !errors.As(err, &failed) || failed.Message != "partition: canceled: no more" {
		t.Errorf("%d records, then %v", n, err)
	}
}

// TestConsumerLeaves checks that a tape has every record that was accepted, although its reader left before it came.
func TestConsumerLeaves(t *testing.T) {
	for stay := range 5 {
		x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 64 << 10})
		if err != nil {
			t.Fatal(err)
		}
		r, err := gate.NewReader(x.Gate(1), items(t))
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			var v item
			for range 300 * stay {
				if ok, err := r.Next(t.Context(), &v); !ok || err != nil {
					t.Errorf("%v, %v", ok, err)
				}
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if err := drop(t, x.Gate(0)); err != nil {
				t.Error(err)
			}
		})
		var file bytes.Buffer
		w := newWriter(t, tape.NewTee(x.Partition(0), &file))
		accepted := make([][]string, 2)
		for n := range uint32(4000) {
			v := item{Lane: n % 2, Number: n, Pad: make([]byte, 40)}
			if err := w.Emit(t.Context(), &v); err == nil {
				accepted[v.Lane] = append(accepted[v.Lane], v.String())
			} else if v.Lane != 1 || !errors.Is(err, partition.ErrConsumerGone) {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil && !errors.Is(err, partition.ErrConsumerGone) {
			t.Error(err)
		}
		wg.Wait()
		if err := x.Close(t.Context()); err != nil {
			t.Error(err)
		}
		by, err := contents(t.Context(), t, open(t, file.Bytes()))
		if err != nil || !reflect.DeepEqual(by[0], accepted[0]) {
			t.Fatalf("the channel that was read to its end: %d of %d, then %v", len(by[0]), len(accepted[0]), err)
		}
		rest := by[1] // which may have others
		for _, s := range accepted[1] {
			i := slices.Index(rest, s)
			if i < 0 {
				t.Fatalf("%s was accepted and is not on the tape", s)
			}
			rest = rest[i+1:]
		}
	}
}

// TestFlush checks that after Flush everything emitted can be read from the file, although it is not complete.
func TestFlush(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 2}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	for n := range uint32(50) {
		if err := w.Emit(t.Context(), &item{Lane: n % 2, Number: n}); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		by, err := contents(t.Context(), t, open(t, file.Bytes()))
		if total(by) != int(n)+1 || !errors.Is(err, tape.ErrTruncated) {
			t.Fatalf("%d of %d records, then %v", total(by), n+1, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if by, err := contents(t.Context(), t, open(t, file.Bytes())); total(by) != 50 || err != nil {
		t.Errorf("%d records, then %v", total(by), err)
	}
}

// TestCloseWithError checks that the message of the cause is kept.
func TestCloseWithError(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 8, Consumers: 1, Producer: 7}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	if err := w.Emit(t.Context(), &item{}); err != nil {
		t.Fatal(err)
	}
	if err := w.CloseWithError(errors.New("out of paper")); err != nil {
		t.Fatal(err)
	}
	var producer *partition.ProducerError
	var failed *tape.FailedError
	by, err := contents(t.Context(), t, open(t, file.Bytes()))
	if total(by) != 1 || !errors.As(err, &producer) || producer.Producer != 7 || !errors.As(err, &failed) || failed.Message != "out of paper" {
		t.Errorf("%d records, then %v", total(by), err)
	}
}

// TestRecorder checks an output that only records, at its least memory and with more records than that holds, and what it refuses.
func TestRecorder(t *testing.T) {
	for _, bytesOf := range []int64{5 << 10, 0} {
		var file bytes.Buffer
		rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 4}, MemoryBytes: bytesOf}, &file)
		if err != nil {
			t.Fatal(err)
		}
		w := newWriter(t, rec, writer.WithName("recorder"))
		if err := program(t.Context(), rand.New(rand.NewPCG(1, 2)), w, 4, 5000, 200); err != nil {
			t.Fatal(err)
		}
		if _, err := rec.Claim(partition.Claim{}); !errors.Is(err, partition.ErrInUse) {
			t.Errorf("a second writer: %v", err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Errorf("second close: %v", err)
		}
		by, err := contents(t.Context(), t, open(t, file.Bytes()))
		if s := w.Stats(); err != nil || s.Records != uint64(total(by)) || s.Name != "recorder" || s.Channels[3].Queued != 0 {
			t.Errorf("read %d records, the writer counts %d, %d bytes held in channel 3: %v", total(by), s.Records, s.Channels[3].Queued, err)
		}
	}
	if _, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 4}, MemoryBytes: 4 << 10}, new(bytes.Buffer)); err == nil {
		t.Error("4 KiB for 4 channels were enough")
	}
	if _, err := tape.NewRecorder(tape.RecorderConfig{}, new(bytes.Buffer)); !errors.Is(err, selector.ErrTopology) {
		t.Errorf("no topology: %v", err)
	}
}

// TestTeeAllocatesNothing checks that the tee costs nothing per record.
func TestTeeAllocatesNothing(t *testing.T) {
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 2}}, discard{})
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	v := item{Pad: make([]byte, 8)}
	n := testing.AllocsPerRun(20_000, func() {
		v.Lane ^= 1
		if err := w.Emit(t.Context(), &v); err != nil {
			t.Error(err)
		}
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n != 0 {
		t.Errorf("%v allocations for each record", n)
	}
}

// discard is a file that keeps nothing.
type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
