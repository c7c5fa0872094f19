package tape_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/writer"
)

// numbered returns the file of a tape on which item n of a lane is record n. It has an event behind each tenth record of a lane.
func numbered(t *testing.T, lanes, records int, opts ...writer.Option) []byte {
	t.Helper()
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: lanes}, MemoryBytes: int64(lanes+1) << 10}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec, opts...)
	for n := range records {
		for lane := range lanes {
			if err := w.Emit(t.Context(), &item{Lane: uint32(lane), Number: uint32(n), Pad: make([]byte, 30)}); err != nil {
				t.Fatal(err)
			}
		}
		if n%10 == 9 {
			if err := writer.SendEvent(w, items(t), &item{Number: uint32(n) + 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// position is where a consumer of one producer is on its channels.
type position []uint64

func (p position) read(int) (opts []tape.ReadOption) {
	for lane, n := range p {
		opts = append(opts, tape.From(lane, n))
	}
	return opts
}

// readSome reads up to most records of a replay that begins where at says, checks their numbers, and says in at where the next one begins. It returns how many there were.
func readSome(t *testing.T, tp *tape.Tape, at position, most int, opts ...tape.ReadOption) (read int) {
	t.Helper()
	p, err := tape.NewReplay(t.Context(), tape.ReplayConfig{
		Tapes: []*tape.Tape{tp}, Read: func(i int) []tape.ReadOption { return append(at.read(i), opts...) }, Exchange: exchange.Config{MemoryBytes: 64 << 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for lane := range at {
		all = append(all, lane)
	}
	event := gate.OnEvent(items(t), func(o gate.Origin, e *item) error {
		if o.Seq > uint64(e.Number) { // records between the event and the last one that was read may be lost
			return fmt.Errorf("the event behind record %d is behind %d", e.Number, o.Seq)
		}
		return nil
	})
	r, err := gate.NewReader(p.Gate(all...), items(t), event)
	if err != nil {
		t.Fatal(err)
	}
	var v item
	for read < most {
		ok, err := r.Next(t.Context(), &v)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		read++
		o := r.Last()
		if o.Producer != 0 || o.Channel != int(v.Lane) || o.Seq != uint64(v.Number) {
			t.Fatalf("record %d of lane %d has the origin %v", v.Number, v.Lane, o)
		}
		if o.Seq < at[o.Channel] {
			t.Fatalf("record %d of lane %d comes again", o.Seq, o.Channel)
		}
		at[o.Channel] = o.Seq + 1
	}
	if err := errors.Join(r.Close(), p.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	return read
}

// TestResume: a consumer that keeps where its records come from, and stops and goes on three times, reads each of them once.
func TestResume(t *testing.T) {
	const lanes, records = 3, 200
	tp := open(t, numbered(t, lanes, records))
	at := make(position, lanes)
	total := 0
	for _, most := range []int{130, 170, 1, lanes * records} {
		total += readSome(t, tp, at, most)
	}
	if total != lanes*records || readSome(t, tp, at, 1) != 0 {
		t.Errorf("%d records in four parts, want %d and then none", total, lanes*records)
	}
}

// TestResumeBehindLoss is TestResume on a tape with damaged pieces: records behind them keep their numbers.
func TestResumeBehindLoss(t *testing.T) {
	const lanes, records = 3, 200
	file := numbered(t, lanes, records)
	for _, part := range []int{4, 2} {
		clear(file[len(file)/part:][:1500])
	}
	tp := open(t, file)
	lost := make(map[uint64]bool) // by number and lane: each part of the reading finds the damage that is before it
	resync := tape.Resync(func(l tape.Loss) {
		for i := range l.Records {
			lost[(l.First+i)*lanes+uint64(l.Lane)] = true
		}
	})
	at := make(position, lanes)
	total := 0
	for _, most := range []int{130, 100, 50, lanes * records} {
		total += readSome(t, tp, at, most, resync)
	}
	if len(lost) == 0 || total+len(lost) != lanes*records {
		t.Errorf("%d records and %d lost ones, want some lost ones and %d together", total, len(lost), lanes*records)
	}
}

// TestResumeBroadcast: all channels of a broadcast writer are one lane of the tape.
func TestResumeBroadcast(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 2}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec, writer.WithSelector(selector.Broadcast[item]()))
	for n := range uint32(10) {
		if err := w.Emit(t.Context(), &item{Number: n}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := tape.NewReplay(t.Context(), tape.ReplayConfig{
		Tapes: []*tape.Tape{open(t, file.Bytes())}, Read: func(int) []tape.ReadOption { return []tape.ReadOption{tape.From(0, 7)} },
	})
	if err != nil {
		t.Fatal(err)
	}
	for channel := range 2 {
		r, err := gate.NewReader(p.Gate(channel), items(t))
		if err != nil {
			t.Fatal(err)
		}
		var v item
		for n := uint64(7); n < 10; n++ {
			want := gate.Origin{Channel: channel, Seq: n}
			if ok, err := r.Next(t.Context(), &v); !ok || err != nil || uint64(v.Number) != n || r.Last() != want {
				t.Errorf("got %v, %v: record %d from %v, want %d from %v", ok, err, v.Number, r.Last(), n, want)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestReplayPosition: positions that the index knows not to be there are errors of the constructor, and fail the readers of an output.
func TestReplayPosition(t *testing.T) {
	file := numbered(t, 2, 10)
	tp := open(t, file)
	for name, opt := range map[string]tape.ReadOption{"lane": tape.From(7, 0), "negative lane": tape.Lanes(-1), "record": tape.From(1, 11)} {
		t.Run(name, func(t *testing.T) {
			good := tape.From(1, 10)
			_, err := tape.NewReplay(t.Context(), tape.ReplayConfig{Tapes: []*tape.Tape{tp, tp}, Read: func(i int) []tape.ReadOption { return [][]tape.ReadOption{{good}, {opt}}[i] }})
			if !errors.Is(err, tape.ErrPosition) {
				t.Errorf("NewReplay: %v, want ErrPosition", err)
			}
			x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if err := tape.Feed(t.Context(), tp, x.Partition(0), opt); !errors.Is(err, tape.ErrPosition) {
				t.Errorf("Feed: %v, want ErrPosition", err)
			}
			if err := drop(t, x.Gate(0)); !errors.Is(err, tape.ErrPosition) {
				t.Errorf("the reader got %v, want ErrPosition", err)
			}
			if err := x.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("without index", func(t *testing.T) {
		cut := open(t, file[:len(file)-1])
		p, err := tape.NewReplay(t.Context(), tape.ReplayConfig{Tapes: []*tape.Tape{cut}, Read: func(int) []tape.ReadOption { return []tape.ReadOption{tape.From(1, 11)} }})
		if err != nil {
			t.Fatal(err)
		}
		if err := drop(t, p.Gate(1)); !errors.Is(err, tape.ErrPosition) {
			t.Errorf("the reader got %v, want ErrPosition", err)
		}
		if err := p.Close(context.Background()); !errors.Is(err, tape.ErrPosition) {
			t.Errorf("Close: %v, want ErrPosition", err)
		}
	})
}
