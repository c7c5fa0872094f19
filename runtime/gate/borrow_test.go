package gate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
)

// TestNextBytes gives what Next gives, of whole and of cut frames, in any order with it, and then the end.
func TestNextBytes(t *testing.T) {
	for _, size := range []int{3, 40, 1 << 20} {
		n := newNet(t, 1, 1)
		r := newReader(t, n.gate(gate.Config{}, 0))
		var stream []byte
		for _, p := range payloads() {
			stream = append(stream, frame(p)...)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			n.feeds[0].send(0, stream, size)
			_ = n.feeds[0].part.Finish()
		}()
		for i, want := range payloads() {
			var got []byte
			var ok bool
			var err error
			switch i % 3 {
			case 0:
				got, ok, err = r.NextBytes(t.Context())
			case 1:
				for err == nil && !ok {
					got, ok, _, err = r.TryNextBytes()
				}
			default:
				var v raw
				ok, err = r.Next(t.Context(), &v)
				got = v.data
			}
			if !ok || err != nil || !bytes.Equal(got, want) {
				t.Fatalf("pieces of %d: record %d: %v, %v, %d bytes, want %d", size, i, ok, err, len(got), len(want))
			}
			if last := r.Last(); last.Seq != uint64(i) {
				t.Errorf("pieces of %d: record %d has the number %d", size, i, last.Seq)
			}
		}
		if p, ok, err := r.NextBytes(t.Context()); p != nil || ok || err != nil {
			t.Errorf("at the end: %v, %v, %v", p, ok, err)
		}
		if p, ok, ended, err := r.TryNextBytes(); p != nil || ok || !ended || err != nil {
			t.Errorf("at the end: %v, %v, %v, %v", p, ok, ended, err)
		}
		<-done
		_ = r.Close()
		if _, ok, err := r.NextBytes(t.Context()); ok || !errors.Is(err, gate.ErrClosed) {
			t.Errorf("after Close: %v, %v", ok, err)
		}
		n.close()
	}
}

// TestNextBytesFails like Next: of a context it goes on, other errors stay. What cannot be decoded is no error.
func TestNextBytesFails(t *testing.T) {
	n := newNet(t, 1, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok, err := r.NextBytes(ctx); ok || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v, want the error of the context", ok, err)
	}
	if _, ok, ended, err := r.TryNextBytes(); ok || ended || err != nil {
		t.Errorf("%v, %v, %v, want nothing", ok, ended, err)
	}
	n.feeds[0].send(0, append(frame([]byte{0xff}), 0x80, 0, 0, 1), 100)
	if p, ok, err := r.NextBytes(ctx); !ok || err != nil || !bytes.Equal(p, []byte{0xff}) {
		t.Errorf("%v, %v, %v", p, ok, err)
	}
	for range 2 {
		if _, ok, err := r.NextBytes(t.Context()); ok || !errors.Is(err, gate.ErrCorrupt) {
			t.Errorf("%v, %v, want a corrupt stream", ok, err)
		}
		if _, ok, ended, err := r.TryNextBytes(); ok || ended || !errors.Is(err, gate.ErrCorrupt) {
			t.Errorf("%v, %v, %v, want a corrupt stream", ok, ended, err)
		}
	}
	_ = r.Close()
	n.close()
}

// TestNextBytesOrder: handlers are called where Next calls them.
func TestNextBytesOrder(t *testing.T) {
	n := newNet(t, 1, 1)
	f, j := n.feeds[0], &journal{t: t}
	j.open(n.gate(gate.Config{}, 0))
	f.send(0, append(frame([]byte("a")), frame([]byte("b"))...), 100)
	must(t, f.part.Event(0, user("x")))
	f.send(0, frame([]byte("c")), 2)
	_ = f.part.Finish()
	for {
		p, ok, err := j.reader.NextBytes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		j.add("record %q", p)
	}
	if got, want := fmt.Sprint(j.lines), `[record "a" record "b" event "x" {0 0 2} record "c" watermark end]`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	_ = j.reader.Close()
	n.close()
}

// TestNextBytesCapacity: appending to a payload does not write into the next record.
func TestNextBytesCapacity(t *testing.T) {
	n := newNet(t, 1, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	n.feeds[0].send(0, append(frame([]byte("abc")), frame([]byte("def"))...), 100)
	for _, want := range []string{"abc", "def"} {
		p, ok, err := r.NextBytes(t.Context())
		if !ok || err != nil || string(p) != want {
			t.Fatalf("%q, %v, %v, want %q", p, ok, err, want)
		}
		_ = append(p, "xxxx"...)
	}
	_ = r.Close()
	n.close()
}

// viewReader reads payloads without copying them, as generated readers do for fields that alias the payload.
type viewReader struct{ core *gate.Core }

func newViewReader(t *testing.T, g *gate.Gate) *viewReader {
	t.Helper()
	c, err := gate.NewCore(g, gate.Spec{Record: "raw", Schema: rawSerializer{}.Schema(), Borrow: true})
	if err != nil {
		t.Fatal(err)
	}
	return &viewReader{c}
}

func (r *viewReader) Core() *gate.Core { return r.core }

func (r *viewReader) Next(ctx context.Context) ([]byte, bool, error) {
	p, ok := r.core.Frame()
	if !ok {
		return r.core.Fill(ctx)
	}
	return p, true, nil
}

// NextBatch returns records that are all valid until the next call.
func (r *viewReader) NextBatch(ctx context.Context, dst [][]byte) (int, error) {
	p, ok, err := r.Next(ctx)
	if !ok {
		return 0, err
	}
	dst[0] = p
	n := 1
	for n < len(dst) {
		if p, ok = r.core.Same(); !ok {
			break
		}
		dst[n] = p
		n++
	}
	return n, nil
}

// TestSame: all records of a batch are valid together, also if the first one was put together of pieces, and no batch reaches beyond a chunk.
func TestSame(t *testing.T) {
	n, taken := newNet(t, 2, 1), newRoom(t)
	r := newViewReader(t, n.gate(gate.Config{Room: taken}, 0))
	var first []byte
	for _, p := range []string{"one", "two", "three"} {
		first = append(first, frame([]byte(p))...)
	}
	n.feeds[0].send(0, first[:5], 5)
	n.feeds[0].send(0, first[5:], 100)
	n.feeds[0].send(0, frame([]byte("four")), 100)
	n.feeds[1].send(0, append(frame(nil), frame([]byte("five"))...), 100)
	for _, f := range n.feeds {
		_ = f.part.Finish()
	}
	dst := make([][]byte, 10)
	sizes := map[string]bool{}
	for {
		k, err := r.NextBatch(t.Context(), dst)
		if err != nil {
			t.Fatal(err)
		}
		if k == 0 {
			break
		}
		sizes[fmt.Sprintf("%q", dst[:k])] = true
		if _, ok := r.core.Same(); ok {
			t.Error("the batch left a record of its chunk out")
		}
	}
	for _, want := range []string{`["one" "two" "three"]`, `["four"]`, `["" "five"]`} {
		if !sizes[want] {
			t.Errorf("no batch %s in %v", want, sizes)
		}
	}
	if taken.peak == 0 || taken.used != 0 {
		t.Errorf("%d bytes of %d are held", taken.used, taken.peak)
	}
	_ = r.core.Close()
	n.close()
}

// TestNextBytesBroadcast: what two readers borrow of one buffer does not depend on the other.
func TestNextBytesBroadcast(t *testing.T) {
	n := newNet(t, 1, 2)
	a, b := newReader(t, n.gate(gate.Config{}, 0)), newReader(t, n.gate(gate.Config{}, 1))
	sendAll(t, n.feeds[0].part, append(frame([]byte("one")), frame([]byte("two"))...))
	for _, want := range []string{"one", "two"} {
		pa, _, err1 := a.NextBytes(t.Context())
		pb, _, err2 := b.NextBytes(t.Context())
		if string(pa) != want || string(pb) != want || err1 != nil || err2 != nil {
			t.Errorf("%q and %q, %v, %v, want %q", pa, pb, err1, err2, want)
		}
	}
	_ = a.Close()
	_ = b.Close()
	n.close()
}

// sendAll queues one buffer for all channels.
func sendAll(t *testing.T, p *partition.Partition, data []byte) {
	t.Helper()
	var buf *buffer.Buffer
	buf, err := p.Large(context.Background(), 0, len(data))
	if err != nil {
		t.Fatal(err)
	}
	copy(buf.Bytes(), data)
	if err := p.AppendAll(buf, len(data)); err != nil {
		t.Fatal(err)
	}
}
