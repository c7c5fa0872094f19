package tape_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/writer"
)

// disk is a file on a disk that fails.
type disk struct {
	bytes.Buffer
	room  int   // bytes that fit
	short bool  // it then takes less and says nothing
	err   error // or it says this
	sync  error // of Sync
	syncs int
}

func (d *disk) Write(b []byte) (int, error) {
	n := min(len(b), d.room-d.Len())
	d.Buffer.Write(b[:n])
	if n == len(b) || d.short {
		return n, nil
	}
	return n, d.err
}

func (d *disk) Sync() error {
	d.syncs++
	return d.sync
}

// emitted writes n records through a tee on d to one reader that reads what there is, and returns what the writer was told, what was accepted, and what came.
func emitted(t *testing.T, d *disk, opts ...tape.Option) (told error, accepted []string, came []string, readErr error) {
	t.Helper()
	// Blocks of 1 KiB whatever the traffic, so that every run writes the same file.
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 64 << 10, GuaranteedBytes: 2 << 10})
	if err != nil {
		t.Fatal(err)
	}
	w, told := writer.New(tape.NewTee(x.Partition(0), d, opts...), items(t), byLane(), writer.FlushOnFull())
	if told == nil {
		for n := range uint32(40) {
			v := item{Number: n, Pad: make([]byte, 100)}
			if told = w.Emit(t.Context(), &v); told != nil {
				break
			}
			accepted = append(accepted, v.String())
			if n%10 == 9 {
				if told = w.Flush(); told != nil {
					break
				}
			}
		}
		if told != nil {
			if err := w.Emit(t.Context(), &item{}); !errors.Is(err, tape.ErrWrite) {
				t.Errorf("after %v the next record: %v", told, err)
			}
			if err := w.Emit(t.Context(), &item{Pad: make([]byte, 2000)}); !errors.Is(err, tape.ErrWrite) {
				t.Errorf("after %v the next large record: %v", told, err)
			}
			if _, err := w.TryEmit(&item{Pad: make([]byte, 2000)}); !errors.Is(err, tape.ErrWrite) {
				t.Errorf("after %v a large record that does not wait: %v", told, err)
			}
			if err := errors.Join(w.Core().Watermark(time.UnixMicro(1)), w.Core().Idle(true), w.Core().EndOfData(true)); !errors.Is(err, tape.ErrWrite) {
				t.Errorf("after %v an event: %v", told, err)
			}
			if !w.Available(0) {
				t.Error("a writer whose tape has failed is not available")
			}
			<-w.Ready(0)
		}
		if err := w.Close(); told == nil {
			told = err
		} else if !errors.Is(err, tape.ErrWrite) {
			t.Errorf("after %v close says %v", told, err)
		}
	}
	came, readErr = readAll(t.Context(), t, x.Gate(0))
	if err := x.Close(t.Context()); err != nil {
		t.Errorf("exchange: %v", err)
	}
	return told, accepted, came, readErr
}

// TestFullDisk fails a disk after every number of bytes, with an error and by silence. The writer fails with the offset, its readers get everything that was accepted, and what is on the disk can be read.
func TestFullDisk(t *testing.T) {
	whole := &disk{room: 1 << 20}
	if err, _, _, _ := emitted(t, whole, tape.WithID(7)); err != nil || whole.syncs != 1 {
		t.Fatalf("a good disk: %v, %d syncs", err, whole.syncs)
	}
	for room := range whole.Len() {
		d := &disk{room: room, err: syscall.ENOSPC, short: room%2 == 1}
		want := syscall.ENOSPC.Error()
		if d.short {
			want = io.ErrShortWrite.Error()
		}
		told, accepted, came, readErr := emitted(t, d, tape.WithID(7))
		var bad *tape.WriteError
		if !errors.As(told, &bad) || bad.Op != "write" || bad.Offset != int64(room) || !strings.Contains(told.Error(), want) {
			t.Fatalf("%d bytes: %v", room, told)
		}
		// The one that was refused with ErrWrite may have come: its lane had an open block.
		if n := len(accepted); len(came) < n || len(came) > n+1 || !slices.Equal(came[:n], accepted) {
			t.Fatalf("%d bytes: %d records were accepted, %d came", room, len(accepted), len(came))
		}
		// Only if nothing but the end of the tape is missing are the records all there are.
		if readErr != nil && !errors.Is(readErr, tape.ErrWrite) || readErr == nil && len(accepted) < 40 {
			t.Fatalf("%d bytes: the reader gets %v", room, readErr)
		}
		if !bytes.Equal(d.Bytes(), whole.Bytes()[:room]) {
			t.Fatalf("%d bytes: something else is on the disk", room)
		}
	}
}

// TestGiveUp checks that with the option the writer does not notice, and the error is reported once.
func TestGiveUp(t *testing.T) {
	for room := 0; room < 5000; room += 97 {
		var reports []error
		d := &disk{room: room, err: syscall.ENOSPC}
		told, accepted, came, readErr := emitted(t, d, tape.GiveUp(func(err error) { reports = append(reports, err) }))
		if told != nil || len(accepted) != 40 || !reflect.DeepEqual(came, accepted) || readErr != nil {
			t.Fatalf("%d bytes: %v, %d records were accepted, %d came, then %v", room, told, len(accepted), len(came), readErr)
		}
		if len(reports) != 1 || !errors.Is(reports[0], tape.ErrWrite) || !errors.Is(reports[0], syscall.ENOSPC) {
			t.Fatalf("%d bytes: reported %v", room, reports)
		}
	}
}

// TestSync checks when Sync is called, and that its error is one of the writer.
func TestSync(t *testing.T) {
	for _, tt := range []struct {
		opt   tape.Option
		syncs int
		fails bool
	}{{nil, 1, true}, {tape.SyncOnFlush(), 5, true}, {tape.NoSync(), 0, false}} {
		d := &disk{room: 1 << 20}
		if err, _, _, _ := emitted(t, d, tt.opt); err != nil || d.syncs != tt.syncs {
			t.Errorf("%v, %d syncs, want %d", err, d.syncs, tt.syncs)
		}
		d = &disk{room: 1 << 20, sync: errors.New("the disk is loose")}
		err, _, _, _ := emitted(t, d, tt.opt)
		var bad *tape.WriteError
		if got := errors.As(err, &bad); got != tt.fails || got && (bad.Op != "sync" || !strings.Contains(err.Error(), "loose")) {
			t.Errorf("an error of Sync: %v", err)
		}
	}
}

// TestFailedClaim checks that a tape whose header cannot be written leaves nothing open behind it.
func TestFailedClaim(t *testing.T) {
	topology := selector.Topology{Producers: 1, Consumers: 1}
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: topology}, &disk{err: syscall.ENOSPC})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.New(rec, items(t)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk: %v", err)
	}
	if rec.Err() == nil {
		t.Error("the recorder does not know")
	}
	if _, err := writer.New(rec, items(t)); err == nil {
		t.Error("a second writer was taken")
	}

	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.New(tape.NewTee(x.Partition(0), &disk{err: syscall.ENOSPC}), items(t)); !errors.Is(err, tape.ErrWrite) {
		t.Errorf("a full disk: %v", err)
	}
	r, err := gate.NewReader(x.Gate(0), items(t))
	if err != nil {
		t.Fatal(err)
	}
	var v item
	var producer *partition.ProducerError
	if _, err := r.Next(t.Context(), &v); !errors.As(err, &producer) || !errors.Is(err, tape.ErrWrite) {
		t.Errorf("the reader gets %v", err)
	}
	if err := errors.Join(r.Close(), x.Close(t.Context())); err != nil {
		t.Error(err)
	}
}

// badFile is a file that cannot be read from some byte on.
type badFile struct {
	*bytes.Reader
	bad int64
}

func (f badFile) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > f.bad {
		n, _ := f.Reader.ReadAt(b[:max(0, f.bad-at)], at)
		return n, syscall.EIO
	}
	return f.Reader.ReadAt(b, at)
}

// TestReadError checks that an error of the file is passed on as it is, also with Resync.
func TestReadError(t *testing.T) {
	file, want := small(t)
	for bad := range file {
		f := badFile{bytes.NewReader(file), int64(bad)}
		tp, err := tape.New(f, int64(len(file)), tape.Config{})
		if err != nil {
			if !errors.Is(err, syscall.EIO) {
				t.Fatalf("byte %d: %v", bad, err)
			}
			continue
		}
		for _, opt := range []tape.ReadOption{nil, tape.Resync(func(tape.Loss) {})} {
			by, err := contents(t.Context(), t, tp, opt)
			if err == nil && total(by) != total(want) || err != nil && !errors.Is(err, syscall.EIO) {
				t.Fatalf("byte %d: %d records, then %v", bad, total(by), err)
			}
		}
	}
}
