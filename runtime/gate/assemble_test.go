package gate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
)

var errNoRoom = errors.New("no room")

// room counts what readers of one goroutine take.
type room struct {
	t          *testing.T
	used, peak int64
	takes      int // so far
	refuse     int // the number of the one that fails; −1: none
}

func newRoom(t *testing.T) *room { return &room{t: t, refuse: -1} }

func (r *room) Take(bytes int64) error {
	if bytes <= 0 || bytes%1024 != 0 {
		r.t.Errorf("%d bytes are taken, want KiB", bytes)
	}
	if r.takes++; r.takes-1 == r.refuse {
		return errNoRoom
	}
	r.used += bytes
	r.peak = max(r.peak, r.used)
	return nil
}

func (r *room) Give(bytes int64) {
	if r.used -= bytes; bytes <= 0 || r.used < 0 {
		r.t.Errorf("%d bytes are given back, %d are left", bytes, r.used)
	}
}

// bound is the most that a record may take while it arrives: its size, and half of it for the buffer before the last, both in KiB.
func bound(size int) int64 { return kib(size) + kib(size/2) }

func kib(size int) int64 { return (int64(size) + 1023) / 1024 * 1024 }

// numbered returns a payload of one repeated byte, which is never one that rawSerializer refuses.
func numbered(number, size int) []byte { return bytes.Repeat([]byte{byte(number)%0xf0 + 1}, size) }

// TestRoomEveryCut cuts frames at every byte, and takes no memory but for those that are cut, and gives it back with the next call.
func TestRoomEveryCut(t *testing.T) {
	for _, size := range []int{0, 1, 2, 100, 1023, 1024, 1025, 2049} {
		step := 1
		if size > 200 {
			step = 97
		}
		for cut := 1; cut < 4+size; cut += step {
			n, taken := newNet(t, 1, 1), newRoom(t)
			r := newReader(t, n.gate(gate.Config{Room: taken}, 0))
			stream := append(frame(numbered(1, size)), frame(numbered(2, 3))...)
			n.feeds[0].send(0, stream[:cut], len(stream))
			n.feeds[0].send(0, stream[cut:], len(stream))
			var v raw
			for i, want := range [][]byte{numbered(1, size), numbered(2, 3)} {
				if ok, err := r.Next(t.Context(), &v); !ok || err != nil || !bytes.Equal(v.data, want) {
					t.Fatalf("%d bytes cut at %d, record %d: %v, %v, %d bytes", size, cut, i, ok, err, len(v.data))
				}
			}
			if want := bound(size); taken.peak > want || size > 0 && taken.peak < kib(size) {
				t.Errorf("%d bytes cut at %d took %d, want at most %d", size, cut, taken.peak, want)
			}
			if _, _, err := r.TryNext(&v); err != nil || taken.used != 0 {
				t.Errorf("%d bytes cut at %d: %v, %d bytes are held when everything was read", size, cut, err, taken.used)
			}
			_ = r.Close()
			n.close()
		}
	}
}

// TestRoomFollowsArrival: what is taken follows what has arrived, whatever the length promises, and belongs to the record until the next call.
func TestRoomFollowsArrival(t *testing.T) {
	n, taken := newNet(t, 1, 1), newRoom(t)
	r := newReader(t, n.gate(gate.Config{Room: taken}, 0))
	const size = 600_000 // much more than a block
	stream := frame(numbered(7, size))
	var v raw
	for sent := 0; sent < len(stream); {
		piece := stream[sent:min(sent+5000, len(stream))]
		n.feeds[0].send(0, piece, len(piece))
		sent += len(piece)
		ok, _, err := r.TryNext(&v)
		if err != nil || ok != (sent == len(stream)) {
			t.Fatalf("after %d bytes: %v, %v", sent, ok, err)
		}
		if arrived := sent - 4; taken.used < int64(arrived) || taken.used > max(2*kib(arrived), kib(size)) || arrived < size/2 && taken.used > 2*kib(arrived) {
			t.Fatalf("%d bytes are taken for %d that have arrived", taken.used, arrived)
		}
	}
	if taken.used != kib(size) || taken.peak > bound(size) || len(v.data) != size {
		t.Errorf("%d bytes are taken for a record that was returned, at most %d; it has %d", taken.used, taken.peak, len(v.data))
	}
	if ok, _, err := r.TryNext(&v); ok || err != nil || taken.used != 0 {
		t.Errorf("then: %v, %v, %d bytes", ok, err, taken.used)
	}
	_ = r.Close()
	n.close()
}

// pieces is a random program: frames of several channels, cut anywhere and mixed.
type pieces struct {
	channels int
	sent     [][]byte // stream by channel
	records  int
}

// send makes the program of a seed, and runs it.
func (p *pieces) send(n *net, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 5))
	rest := make([][]byte, p.channels)
	p.sent = make([][]byte, p.channels)
	for i := range rest {
		for k := range 1 + rnd.IntN(6) {
			size := rnd.IntN(40)
			if rnd.IntN(3) == 0 {
				size = rnd.IntN(5000)
			}
			rest[i] = append(rest[i], frame(numbered(i*7+k, size))...)
			p.records++
		}
		p.sent[i] = rest[i]
	}
	for left := p.channels; left > 0; {
		i := rnd.IntN(p.channels)
		if len(rest[i]) == 0 {
			continue
		}
		size := min(len(rest[i]), 1+rnd.IntN(1500))
		n.feeds[i].send(0, rest[i][:size], size)
		if rest[i] = rest[i][size:]; len(rest[i]) == 0 {
			left--
		}
	}
}

// reads are the ways to take what there is without waiting, until there is nothing or an error. They return the bytes of the frames.
var reads = map[string]func(r *gate.Reader[raw]) (bytes int, records int, err error){
	"Next": func(r *gate.Reader[raw]) (bytes, records int, err error) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var v raw
		for {
			if _, err := r.Next(ctx, &v); err != nil {
				return bytes, records, ignoreDone(err)
			}
			bytes += 4 + len(v.data)
			records++
		}
	},
	"TryNext": func(r *gate.Reader[raw]) (bytes, records int, err error) {
		var v raw
		for {
			if ok, _, err := r.TryNext(&v); !ok {
				return bytes, records, err
			}
			bytes += 4 + len(v.data)
			records++
		}
	},
	"NextBatch": func(r *gate.Reader[raw]) (bytes, records int, err error) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		dst := make([]raw, 3)
		for {
			n, err := r.NextBatch(ctx, dst)
			if err != nil {
				return bytes, records, ignoreDone(err)
			}
			for _, v := range dst[:n] {
				bytes += 4 + len(v.data)
			}
			records += n
		}
	},
	"NextBytes": func(r *gate.Reader[raw]) (bytes, records int, err error) {
		for {
			p, ok, _, err := r.TryNextBytes()
			if !ok {
				return bytes, records, err
			}
			bytes += 4 + len(p)
			records++
		}
	},
	"Select": func(r *gate.Reader[raw]) (bytes, records int, err error) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var v raw
		for {
			if _, err := gate.Select(ctx, r); err != nil {
				return bytes, records, ignoreDone(err)
			}
			if ok, _, err := r.TryNext(&v); !ok {
				return bytes, records, err
			}
			bytes += 4 + len(v.data)
			records++
		}
	},
}

func ignoreDone(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// TestRoomRefused lets the first, the second, … request for memory fail, in random programs and with every way to read. The reader fails with a typed error, holds nothing from then on, and every byte that was
// sent is either of a record that was returned or dropped.
func TestRoomRefused(t *testing.T) {
	for name, read := range reads {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("%s/seed=%d", name, seed), func(t *testing.T) {
				failed := 0
				for refuse := 0; ; refuse++ {
					const channels = 4
					n, taken := newNet(t, channels, 1), newRoom(t)
					taken.refuse = refuse
					r := newReader(t, n.gate(gate.Config{Room: taken}, 0))
					p := pieces{channels: channels}
					p.send(n, seed)
					got, records, err := read(r)
					reached := taken.takes > refuse
					if reached {
						failed++
						checkRefused(t, r, err)
					} else if err != nil || records != p.records {
						t.Fatalf("%v, %d records of %d", err, records, p.records)
					}
					if taken.used != 0 {
						t.Errorf("%d bytes are held after everything was read, or failed: %v", taken.used, err)
					}
					_ = r.Close()
					sent, dropped := 0, 0
					for i, f := range n.feeds {
						if err := f.part.Finish(); err != nil && !errors.Is(err, partition.ErrConsumerGone) {
							t.Error(err)
						}
						sent += len(p.sent[i])
						dropped += int(f.part.Stats().Channels[0].Dropped)
					}
					if got+dropped != sent {
						t.Errorf("request %d failed: %d bytes were sent, %d read, %d dropped", refuse, sent, got, dropped)
					}
					n.close()
					if !reached || t.Failed() {
						break
					}
				}
				if failed == 0 {
					t.Error("no request has ever failed")
				}
			})
		}
	}
}

// checkRefused looks at the error of a reader that got no memory.
func checkRefused(t *testing.T, r *gate.Reader[raw], err error) {
	t.Helper()
	var short *gate.AssemblyError
	if !errors.Is(err, gate.ErrAssembly) || !errors.Is(err, errNoRoom) || errors.Is(err, gate.ErrCorrupt) || !errors.As(err, &short) {
		t.Fatalf("got %v", err)
	}
	if short.Arrived <= 0 || short.Arrived > short.Size || short.Channel != 0 || short.Producer < 0 || short.Producer > 3 {
		t.Errorf("%+v", short)
	}
	if ok, again := r.Next(t.Context(), new(raw)); ok || again != err {
		t.Errorf("then %v, %v", ok, again)
	}
}

// TestRoomCloseAfterRecord: a reader that is closed while the user has a record that came in pieces gives its memory back; also if Select has found the record, and nobody has read it.
func TestRoomCloseAfterRecord(t *testing.T) {
	for _, selected := range []bool{false, true} {
		n, taken := newNet(t, 1, 1), newRoom(t)
		r := newReader(t, n.gate(gate.Config{Room: taken}, 0))
		n.feeds[0].send(0, frame(numbered(1, 3000)), 2000)
		if selected {
			if i, err := gate.Select(t.Context(), r); i != 0 || err != nil {
				t.Fatal(i, err)
			}
		} else if ok, _, err := r.TryNext(new(raw)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if taken.used != kib(3000) {
			t.Errorf("%d bytes are taken, want those of the record", taken.used)
		}
		_ = r.Close()
		if taken.used != 0 {
			t.Errorf("%d bytes are held after Close", taken.used)
		}
		n.close()
	}
}

// TestRoomIsGivenBack: of records that have arrived in part, when the reader is closed, fails for another reason, or learns that it was canceled.
func TestRoomIsGivenBack(t *testing.T) {
	for name, end := range map[string]func(n *net, g *gate.Gate, r *gate.Reader[raw]){
		"close":   func(_ *net, _ *gate.Gate, r *gate.Reader[raw]) { _ = r.Close() },
		"corrupt": func(n *net, _ *gate.Gate, _ *gate.Reader[raw]) { n.feeds[2].send(0, []byte{0x80, 0, 0, 1}, 4) },
		"record":  func(n *net, _ *gate.Gate, _ *gate.Reader[raw]) { n.feeds[2].send(0, frame([]byte{0xff}), 3) },
		"failure": func(n *net, _ *gate.Gate, _ *gate.Reader[raw]) { _ = n.feeds[2].part.Fail(errBad) },
		"inside":  func(n *net, _ *gate.Gate, _ *gate.Reader[raw]) { _ = n.feeds[0].part.Finish() },
		"cancel":  func(_ *net, g *gate.Gate, _ *gate.Reader[raw]) { g.Cancel(errBad) },
		"event": func(n *net, _ *gate.Gate, _ *gate.Reader[raw]) {
			if err := n.feeds[2].part.Event(0, partition.Event{Kind: partition.UserEvent}); err != nil { // there is no handler
				n.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			n, taken := newNet(t, 3, 1), newRoom(t)
			g := n.gate(gate.Config{Room: taken}, 0)
			r := newReader(t, g)
			for i, f := range n.feeds[:2] {
				f.send(0, frame(numbered(i, 3000))[:2000], 500)
			}
			if ok, ended, err := r.TryNext(new(raw)); ok || ended || err != nil || taken.used < 4000 {
				t.Fatalf("%v, %v, %v, %d bytes are taken", ok, ended, err, taken.used)
			}
			end(n, g, r)
			if _, _, err := r.TryNext(new(raw)); err == nil {
				t.Fatal("no error")
			}
			if taken.used != 0 {
				t.Errorf("%d bytes are held after the error", taken.used)
			}
			_ = r.Close()
			if taken.used != 0 {
				t.Errorf("%d bytes are held", taken.used)
			}
			n.close()
		})
	}
}
