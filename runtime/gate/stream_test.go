package gate_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// parse is what a reader must make of a stream, however it is cut: the payloads before the first damage, and whether there is any.
func parse(stream []byte, limit int) (payloads [][]byte, damaged bool) {
	for len(stream) > 0 {
		if len(stream) < 4 {
			return payloads, true
		}
		n := binary.BigEndian.Uint32(stream)
		if n>>31 != 0 || int(n) > limit || int(n) > len(stream)-4 {
			return payloads, true
		}
		payloads = append(payloads, stream[4:4+n])
		stream = stream[4+n:]
	}
	return payloads, false
}

// FuzzStream cuts arbitrary bytes into arbitrary pieces. The reader must find the same records as a parser that has the whole stream; also one that looks for records of a fixed
// size first, whether they have that size or not.
func FuzzStream(f *testing.F) {
	f.Add([]byte{}, []byte{}, uint8(0))
	f.Add(append(frame([]byte("one")), frame(nil)...), []byte{1, 2, 3}, uint8(3))
	f.Add([]byte{0, 0, 0, 9, 1, 2}, []byte{4}, uint8(9))
	f.Add([]byte{0x80, 0, 0, 0}, []byte{2}, uint8(0))
	f.Add(append(frame(make([]byte, 101)), 1), []byte{50}, uint8(101))
	f.Add(bytes.Repeat(frame(make([]byte, 16)), 5), []byte{41}, uint8(16))
	f.Fuzz(func(t *testing.T, stream, cuts []byte, size uint8) {
		if len(stream) > 4<<10 {
			return
		}
		const limit = 100
		for _, fixed := range []bool{false, true} {
			n := newNet(t, 1, 1)
			taken := newRoom(t)
			c, err := gate.NewCore(n.gate(gate.Config{Limits: record.Limits{MaxRecordBytes: limit}, Room: taken}, 0), gate.Spec{Record: "raw", Borrow: fixed})
			if err != nil {
				t.Fatal(err)
			}
			sent := 0
			for _, c := range cuts {
				piece := stream[sent:min(sent+1+int(c), len(stream))]
				n.feeds[0].send(0, piece, len(stream))
				sent += len(piece)
			}
			n.feeds[0].send(0, stream[sent:], len(stream))
			if err := n.feeds[0].part.Finish(); err != nil {
				t.Fatal(err)
			}
			next := func() ([]byte, bool, error) {
				if fixed {
					if p := c.Fixed(int(size)); p != nil {
						return p, true, nil
					}
				} else if p, ok := c.Frame(); ok {
					return p, true, nil
				}
				return c.Fill(t.Context())
			}
			payloads, damaged := parse(stream, limit)
			for i, want := range payloads {
				if p, ok, err := next(); !ok || err != nil || !bytes.Equal(p, want) {
					t.Fatalf("record %d: %v, %v, %d bytes, want %d", i, ok, err, len(p), len(want))
				}
			}
			_, ok, err := next()
			if ok || errors.Is(err, gate.ErrCorrupt) != damaged || (err != nil) != damaged {
				t.Fatalf("at the end: %v, %v, damaged: %v", ok, err, damaged)
			}
			if taken.used != 0 || taken.peak > bound(limit) {
				t.Fatalf("%d bytes are held at the end, %d at most", taken.used, taken.peak)
			}
			_ = c.Close()
			n.close()
		}
	})
}

// anySerializer takes every payload as it is.
type anySerializer struct{ rawSerializer }

func (anySerializer) Consume(src []byte, v *raw) (int, error) {
	v.data = append(v.data[:0], src...)
	return len(src), nil
}

func (s anySerializer) ConsumeLimits(src []byte, v *raw, _ record.Limits) (int, error) {
	return s.Consume(src, v)
}

// TestInterleaved reads several channels of several producers, which write whole blocks and frames cut at random places, all at the same time.
// Each record names its channel and its number there.
func TestInterleaved(t *testing.T) {
	const producers, consumers, records = 3, 2, 400
	n := newNet(t, producers, consumers)
	r, err := gate.NewReader(n.gate(gate.Config{}, 0, 1), anySerializer{})
	if err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for i, f := range n.feeds {
		writers.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(i), 11))
			numbers := [consumers]uint16{}
			var rest [consumers][]byte // of a frame under way
			for range records {
				channel := rnd.IntN(consumers)
				payload := append([]byte{byte(i), byte(channel)}, make([]byte, 2+rnd.IntN(60))...)
				binary.BigEndian.PutUint16(payload[2:], numbers[channel])
				numbers[channel]++
				if rnd.IntN(2) == 0 && len(rest[channel]) == 0 {
					f.block(channel, string(payload))
					continue
				}
				rest[channel] = append(rest[channel], frame(payload)...)
				cut := rnd.IntN(len(rest[channel]) + 1)
				f.send(channel, rest[channel][:cut], 1+rnd.IntN(40))
				rest[channel] = rest[channel][cut:]
			}
			for channel, data := range rest {
				f.send(channel, data, 7)
			}
			if err := f.part.Finish(); err != nil {
				t.Error(err)
			}
		})
	}
	var numbers [producers][consumers]uint16
	total := 0
	for v, err := range r.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		producer, channel := v.data[0], v.data[1]
		if got := binary.BigEndian.Uint16(v.data[2:]); got != numbers[producer][channel] {
			t.Fatalf("channel %d of producer %d: record %d follows %d", channel, producer, got, numbers[producer][channel])
		}
		numbers[producer][channel]++
		total++
	}
	if total != producers*records {
		t.Errorf("%d records, want %d", total, producers*records)
	}
	writers.Wait()
	_ = r.Close()
	n.close()
}

// TestNextAllocatesNothing: neither for records in blocks nor for frames in pieces, once the reader has a buffer for them.
func TestNextAllocatesNothing(t *testing.T) {
	n := newNet(t, 1, 1)
	r, err := gate.NewReader(n.gate(gate.Config{}, 0), anySerializer{})
	if err != nil {
		t.Fatal(err)
	}
	v := raw{data: make([]byte, 0, 100)}
	next := func() {
		if ok, err := r.Next(context.Background(), &v); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	for range 101 {
		n.feeds[0].block(0, "record")
	}
	if err := n.feeds[0].part.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(100, next); got != 0 {
		t.Errorf("%v allocations for a record in a block", got)
	}
	for range 101 {
		n.feeds[0].send(0, frame([]byte("record")), 5)
	}
	if got := testing.AllocsPerRun(100, next); got > 1 {
		t.Errorf("%v allocations for a frame in pieces", got)
	}
	_ = r.Close()
	n.close()
}

type point struct {
	X, Y int32
	Name string
}

// TestReflectedRecords reads records through the reflective serializer, whole and cut, and refuses those that it refuses.
func TestReflectedRecords(t *testing.T) {
	ser, err := record.Reflect[point]()
	if err != nil {
		t.Fatal(err)
	}
	n := newNet(t, 1, 1)
	r, err := gate.NewReader(n.gate(gate.Config{}, 0), ser)
	if err != nil {
		t.Fatal(err)
	}
	want := []point{{1, 2, "one"}, {}, {-1, 3, "a longer name"}}
	for i, p := range want {
		payload, err := ser.Append(nil, &p)
		if err != nil {
			t.Fatal(err)
		}
		n.feeds[0].send(0, frame(payload), 100-49*i)
	}
	n.feeds[0].send(0, frame([]byte{1, 2, 3}), 100)
	var v point
	for i, want := range want {
		if ok, err := r.Next(t.Context(), &v); !ok || err != nil || v != want {
			t.Errorf("record %d: %v, %v, %+v, want %+v", i, ok, err, v, want)
		}
	}
	var corrupt *gate.CorruptError
	if ok, err := r.Next(t.Context(), &v); ok || !errors.As(err, &corrupt) || corrupt.Record != 3 || !errors.Is(err, wire.ErrTruncated) {
		t.Errorf("%v, %v, want a corrupt record 3", ok, err)
	}
	_ = r.Close()
	n.close()
}
