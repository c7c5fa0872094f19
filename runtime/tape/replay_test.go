package tape_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/writer"
)

// taped records a random program of one of two producers.
func taped(t testing.TB, producer, consumers int, seed uint64) *tape.Tape {
	t.Helper()
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 2, Consumers: consumers, Producer: producer}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	if err := errors.Join(program(t.Context(), rand.New(rand.NewPCG(seed, uint64(producer))), w, consumers, 1500, 80), w.Close()); err != nil {
		t.Fatal(err)
	}
	return open(t, file.Bytes())
}

// TestReplay feeds an edge from tapes, as a whole and from the middle: each consumer gets what was written for it.
func TestReplay(t *testing.T) {
	for seed := range uint64(20) {
		tapes := []*tape.Tape{taped(t, 0, 3, seed), taped(t, 1, 3, seed)}
		start := make([][]uint64, 2)
		want := make([][]string, 3)
		for i, tp := range tapes {
			by, err := contents(t.Context(), t, tp)
			if err != nil {
				t.Fatal(err)
			}
			start[i] = make([]uint64, 3)
			for lane := range by {
				if seed > 0 {
					start[i][lane] = rand.New(rand.NewPCG(seed, uint64(lane))).Uint64N(uint64(len(by[lane])) + 1)
				}
				want[lane] = append(want[lane], by[lane][start[i][lane]:]...)
			}
		}
		r, err := tape.NewReplay(t.Context(), tape.ReplayConfig{
			Tapes: tapes, Exchange: exchange.Config{MemoryBytes: 64 << 10}, Writer: []writer.Option{policies()[seed%5]},
			Read: func(i int) (opts []tape.ReadOption) {
				for lane, n := range start[i] {
					opts = append(opts, tape.From(lane, n))
				}
				return opts
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := drain(t.Context(), t, 3, r.Gate)
		if n := len(r.Stats().Writers); n != 2 {
			t.Errorf("%d writers", n)
		}
		if err := errors.Join(err, r.Close(t.Context())); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range got {
			slices.Sort(got[i]) // the order of two producers is open
			slices.Sort(want[i])
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("seed %d: consumer %d got %d records, want %d", seed, i, len(got[i]), len(want[i]))
			}
		}
	}
}

// TestReplayOfBroadcast checks that all consumers get what one lane holds.
func TestReplayOfBroadcast(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 3}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := writer.New(rec, items(t), writer.WithSelector(selector.Broadcast[item]()))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(program(t.Context(), rand.New(rand.NewPCG(1, 1)), w, 1, 500, 80), w.Close()); err != nil {
		t.Fatal(err)
	}
	tp := open(t, file.Bytes())
	by, err := contents(t.Context(), t, tp)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tape.NewReplay(t.Context(), tape.ReplayConfig{Tapes: []*tape.Tape{tp}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := drain(t.Context(), t, 3, r.Gate)
	if err := errors.Join(err, r.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if !slices.Equal(got[i], by[0]) {
			t.Errorf("consumer %d got %d records, want %d", i, len(got[i]), len(by[0]))
		}
	}
}

// TestReplayOfDamaged checks that readers get the records before the damage, and then its place.
func TestReplayOfDamaged(t *testing.T) {
	file, want := small(t)
	segments := segmentsOf(file)
	b := bytes.Clone(file)
	at := segments[len(segments)/2]
	b[at+60]++
	tp := open(t, b)
	r, err := tape.NewReplay(t.Context(), tape.ReplayConfig{Tapes: []*tape.Tape{tp}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := drain(t.Context(), t, 3, r.Gate)
	for lane := range got {
		if !slices.Equal(got[lane], want[lane][:len(got[lane])]) {
			t.Errorf("lane %d: %v", lane, got[lane])
		}
	}
	var producer *partition.ProducerError
	var bad *tape.CorruptError
	if !errors.As(err, &producer) || !errors.As(err, &bad) || bad.Offset != int64(at) {
		t.Errorf("the readers get %v", err)
	}
	if err := r.Close(t.Context()); !errors.Is(err, tape.ErrCorrupt) || !strings.Contains(err.Error(), "tape 0: ") {
		t.Errorf("close: %v", err)
	}

	lost := 0
	r, err = tape.NewReplay(t.Context(), tape.ReplayConfig{Tapes: []*tape.Tape{tp}, Read: func(int) []tape.ReadOption {
		return []tape.ReadOption{tape.Resync(func(l tape.Loss) { lost += int(l.Records) })}
	}})
	if err != nil {
		t.Fatal(err)
	}
	got, err = drain(t.Context(), t, 3, r.Gate)
	if err := errors.Join(err, r.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	if lost == 0 || total(got)+lost != total(want) {
		t.Errorf("with resync %d came and %d were lost of %d", total(got), lost, total(want))
	}
}

// TestReplayOfFailed checks that a writer that had failed fails again.
func TestReplayOfFailed(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	if err := errors.Join(w.Emit(t.Context(), &item{}), w.CloseWithError(errors.New("out of paper"))); err != nil {
		t.Fatal(err)
	}
	r, err := tape.NewReplay(t.Context(), tape.ReplayConfig{Tapes: []*tape.Tape{open(t, file.Bytes())}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(t.Context(), t, r.Gate(0))
	var failed *tape.FailedError
	if len(got) != 1 || !errors.As(err, &failed) || failed.Message != "out of paper" {
		t.Errorf("%v, then %v", got, err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestReplayLeft checks that a consumer that leaves does not end the others, that closing ends what nobody reads, and that both leave nothing behind.
func TestReplayLeft(t *testing.T) {
	tp := taped(t, 0, 2, 5)
	want, err := contents(t.Context(), t, tp)
	if err != nil {
		t.Fatal(err)
	}
	config := tape.ReplayConfig{Tapes: []*tape.Tape{tp}, Exchange: exchange.Config{MemoryBytes: 64 << 10}}
	r, err := tape.NewReplay(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	leaver, err := gate.NewReader(r.Gate(1), items(t))
	if err != nil {
		t.Fatal(err)
	}
	var v item
	if ok, err := leaver.Next(t.Context(), &v); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	if err := leaver.Close(); err != nil {
		t.Error(err)
	}
	if got, err := readAll(t.Context(), t, r.Gate(0)); err != nil || !slices.Equal(got, want[0]) {
		t.Errorf("%d of %d records, then %v", len(got), len(want[0]), err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Errorf("close: %v", err)
	}

	if r, err = tape.NewReplay(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		reader, err := gate.NewReader(r.Gate(i), items(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := r.Close(t.Context()); err != nil {
		t.Errorf("close without readers: %v", err)
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	if r, err = tape.NewReplay(ctx, config); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	cancel(stop)
	if _, err := drain(t.Context(), t, 2, r.Gate); !errors.Is(err, stop) {
		t.Errorf("canceled: the readers get %v", err)
	}
	if err := r.Close(t.Context()); !errors.Is(err, stop) {
		t.Errorf("canceled: close: %v", err)
	}
}

// TestReplayConfig checks what is refused, and that nothing is left of it.
func TestReplayConfig(t *testing.T) {
	two, three := taped(t, 0, 2, 1), taped(t, 0, 3, 1)
	for _, tt := range []struct {
		c    tape.ReplayConfig
		want error
	}{
		{tape.ReplayConfig{}, selector.ErrTopology},
		{tape.ReplayConfig{Tapes: []*tape.Tape{two, three}}, selector.ErrTopology},
		{tape.ReplayConfig{Tapes: []*tape.Tape{two, two}, Exchange: exchange.Config{MemoryBytes: 1 << 10}}, memory.ErrInsufficient},
	} {
		if _, err := tape.NewReplay(t.Context(), tt.c); !errors.Is(err, tt.want) {
			t.Errorf("%v, want %v", err, tt.want)
		}
	}
}

// TestFeedATape copies a tape through its own reader and writer: the copy has the same records.
func TestFeedATape(t *testing.T) {
	tp := taped(t, 0, 3, 9)
	want, err := contents(t.Context(), t, tp)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: tp.Header().Topology}, &file)
	if err != nil {
		t.Fatal(err)
	}
	if err := tape.Feed(t.Context(), tp, rec); err != nil {
		t.Fatal(err)
	}
	if got, err := contents(t.Context(), t, open(t, file.Bytes())); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d of %d records: %v", total(got), total(want), err)
	}
}
