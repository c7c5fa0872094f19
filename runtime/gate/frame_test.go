package gate_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

var errBad = errors.New("bad record")

// payloads are of all sizes around the pieces they are cut into, the empty one included.
func payloads() [][]byte {
	var all [][]byte
	for i, size := range []int{0, 1, 2, 3, 4, 5, 0, 0, 30, 31, 32, 100, 7, 1000, 0, 13} {
		all = append(all, bytes.Repeat([]byte{byte(i + 1)}, size))
	}
	return all
}

// TestCutFrames sends frames in pieces of every small size, so that they are cut at every byte, also inside the length.
func TestCutFrames(t *testing.T) {
	for size := 1; size <= 40; size++ {
		n := newNet(t, 1, 1)
		r := newReader(t, n.gate(gate.Config{}, 0))
		var stream []byte
		for _, p := range payloads() {
			stream = append(stream, frame(p)...)
		}
		// One piece at a time: the channel holds few.
		done := make(chan struct{})
		go func() {
			defer close(done)
			n.feeds[0].send(0, stream, size)
			_ = n.feeds[0].part.Finish()
		}()
		var v raw
		for i, want := range payloads() {
			ok, err := r.Next(context.Background(), &v)
			if !ok || err != nil || !bytes.Equal(v.data, want) {
				t.Fatalf("pieces of %d: record %d: %v, %v, %d bytes, want %d", size, i, ok, err, len(v.data), len(want))
			}
		}
		if ok, err := r.Next(context.Background(), &v); ok || err != nil {
			t.Fatalf("pieces of %d: %v, %v at the end", size, ok, err)
		}
		if s := r.Stats(); s.Records != uint64(len(payloads())) || s.Bytes != uint64(len(stream)) || s.Ended != 1 {
			t.Errorf("pieces of %d: %+v, want %d records and %d bytes", size, s, len(payloads()), len(stream))
		}
		<-done
		_ = r.Close()
		n.close()
	}
}

// TestCutFramesInterleaved has a frame under way on each of several channels at the same time.
func TestCutFramesInterleaved(t *testing.T) {
	const channels = 5
	n := newNet(t, channels, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	defer r.Close()
	for at := range 12 {
		for i, f := range n.feeds {
			whole := frame(bytes.Repeat([]byte{byte(i)}, 8))
			f.send(0, whole[at:at+1], 1)
		}
	}
	var v raw
	seen := map[byte]bool{}
	for range channels {
		if ok, err := r.Next(context.Background(), &v); !ok || err != nil || len(v.data) != 8 {
			t.Fatalf("%v, %v, %d bytes", ok, err, len(v.data))
		}
		if !bytes.Equal(v.data, bytes.Repeat(v.data[:1], 8)) {
			t.Errorf("bytes of several channels in one record: %v", v.data)
		}
		seen[v.data[0]] = true
	}
	if len(seen) != channels {
		t.Errorf("records of %d channels, want %d", len(seen), channels)
	}
	_ = r.Close()
	n.close()
}

// TestDamagedStreams checks that bytes that no writer produces cause an error that says where, every time Next is called again, and
// that nothing is allocated for a length that only promises.
func TestDamagedStreams(t *testing.T) {
	length := func(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
	good := frame([]byte{1})
	for _, tt := range []struct {
		name   string
		stream []byte
		end    bool
		before int // good records before the damage
		is     error
		text   string
	}{
		{"control frame", append(good, length(1<<31|8)...), false, 1, nil, "unknown control frame of 8 bytes"},
		{"too large", append(append(good, good...), length(1<<30)...), false, 2, wire.ErrLimit, "record of 1073741824 bytes, the limit is 1000"},
		{"too large and whole", frame(make([]byte, 1001)), false, 0, wire.ErrLimit, "record of 1001 bytes, the limit is 1000"},
		{"ends in a length", append(good, 0, 0), true, 1, nil, "ended inside a record"},
		{"ends in a payload", append(good, 0, 0, 0, 9, 1), true, 1, nil, "ended inside a record"},
		{"refused by the serializer", append(good, frame([]byte{0xff, 1})...), false, 1, errBad, "bad record"},
		{"bytes left over", append(good, frame([]byte{0xfe, 1})...), false, 1, wire.ErrCorrupt, "left over after the 1 of the record"},
	} {
		for _, size := range []int{1, 3, 5000} {
			t.Run(fmt.Sprintf("%s/pieces=%d", tt.name, size), func(t *testing.T) {
				n := newNet(t, 2, 1)
				r := newReader(t, n.gate(gate.Config{Limits: record.Limits{MaxRecordBytes: 1000}}, 0))
				f := n.feeds[1]
				done := make(chan struct{})
				go func() {
					defer close(done)
					f.send(0, tt.stream, size)
					if tt.end {
						_ = f.part.Finish()
					}
				}()
				var v raw
				for range tt.before {
					if ok, err := r.Next(context.Background(), &v); !ok || err != nil {
						t.Fatal(ok, err)
					}
				}
				for range 3 {
					ok, err := r.Next(context.Background(), &v)
					var corrupt *gate.CorruptError
					if ok || !errors.Is(err, gate.ErrCorrupt) || !errors.As(err, &corrupt) {
						t.Fatalf("%v, %v, want a CorruptError", ok, err)
					}
					if corrupt.Producer != 1 || corrupt.Channel != 0 || corrupt.Record != uint64(tt.before) {
						t.Errorf("got %+v, want record %d of channel 0 of producer 1", corrupt, tt.before)
					}
					if tt.is != nil && !errors.Is(err, tt.is) || !bytes.Contains([]byte(err.Error()), []byte(tt.text)) {
						t.Errorf("got %v, want %q", err, tt.text)
					}
				}
				<-done
				_ = r.Close()
				if _, err := r.Next(context.Background(), &v); !errors.Is(err, gate.ErrCorrupt) {
					t.Errorf("after close: %v", err)
				}
				n.close()
			})
		}
	}
}

// TestPromisedLengths checks that a reader's memory grows with what has arrived, not with what a length says.
func TestPromisedLengths(t *testing.T) {
	n := newNet(t, 1, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	n.feeds[0].send(0, binary.BigEndian.AppendUint32(nil, 60<<20), 4)
	n.feeds[0].send(0, []byte{1, 2, 3}, 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var v raw
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 3 {
		if ok, err := r.Next(ctx, &v); ok || !errors.Is(err, context.Canceled) {
			t.Fatal(ok, err)
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated for 3 bytes of a promised 60 MiB", n)
	}
	_ = r.Close()
	n.close()
}

// TestFailureInsideRecord checks that the cause of a failed producer wins over the record that it left unfinished.
func TestFailureInsideRecord(t *testing.T) {
	n := newNet(t, 1, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	n.feeds[0].send(0, append(frame([]byte{1}), 0, 0, 0, 9, 1), 100)
	if err := n.feeds[0].part.Fail(errBad); err != nil {
		t.Fatal(err)
	}
	var v raw
	if ok, err := r.Next(context.Background(), &v); !ok || err != nil {
		t.Fatal(ok, err)
	}
	ok, err := r.Next(context.Background(), &v)
	var failed *partition.ProducerError
	if ok || !errors.Is(err, errBad) || !errors.As(err, &failed) || errors.Is(err, gate.ErrCorrupt) {
		t.Errorf("%v, %v, want the producer's cause", ok, err)
	}
	_ = r.Close()
	n.close()
}
