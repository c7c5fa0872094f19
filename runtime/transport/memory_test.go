package transport_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// A channel whose reader does not read stops its own producer only: others of the connection go on, within the budgets.
func TestSlowChannel(t *testing.T) {
	virtual(t, options{producers: 2, budget: transport.BudgetConfig{Bytes: 64 << 10, ExclusiveBytes: 1 << 10}}, func(t *testing.T, n *rwtest.Network, w *world) {
		slow, fast := readerOf(t, w.open(0, 0, nil)), readerOf(t, w.open(1, 0, nil))
		done := make(chan error, 1)
		stuck := w.writer(0)
		go func() { done <- errors.Join(emit(w.ctx, stuck, 0, 300_000), stuck.Close()) }()
		time.Sleep(time.Second) // it waits for its reader
		wr := w.writer(1)
		go func() { _ = errors.Join(emit(w.ctx, wr, 0, 300_000), wr.Close()) }()
		if got, err := readAll(w.ctx, fast); got != 300_000 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		select {
		case err := <-done:
			t.Errorf("nobody has read, but everything was taken: %v", err)
		default:
		}
		if s := w.readPool.Stats(); s.Peak > 64<<10 {
			t.Errorf("%d bytes at the reader", s.Peak)
		}
		if got, err := readAll(w.ctx, slow); got != 300_000 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if s := n.Link("reader", "writer").Stats(); s.Conns != 1 {
			t.Errorf("%d connections", s.Conns)
		}
	})
}

// What is retained for a process that does not answer counts against its channel: one that does goes on from the same producer.
func TestDeadPeerAndHealthyPeer(t *testing.T) {
	virtual(t, options{consumers: 2, memory: 1 << 20, config: func(s, _ *transport.Config) { s.ResumeWindow = 20 * time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
		wr := w.writer(0)
		p := w.process(n, "dead", "dead", nil)
		dead, healthy := readerOf(t, p.channel(0, 0, nil)), readerOf(t, w.open(0, 1, nil))
		time.Sleep(time.Second)
		n.Link("dead", "writer").Drop()
		k := 0
		for full := false; !full; k++ { // until there is no room for the dead one
			var err error
			if full, err = tryEmit(wr, &trade{Seq: int64(k)}); err != nil {
				t.Fatal(err)
			}
		}
		u := w.parts[0].Usage()
		done := make(chan error, 1)
		go func() { done <- emit(w.ctx, wr, 1, 500_000) }()
		start := time.Now()
		take(t, w, healthy, 500_000)
		if err := <-done; err != nil {
			t.Error(err)
		}
		within(t, start, 0, 5*time.Second)
		t.Logf("%d records for the dead one, %+v", k, u)
		fails(t, emitUntil(w.ctx, wr, 0), transport.ErrPeerLost)
		_ = wr.CloseWithError(errFull)
		_, err := readAll(w.ctx, healthy)
		fails(t, err, transport.ErrRemote)
		_ = dead.Close()
		n.Link("dead", "writer").Heal()
		p.close()
		w.pubs[0].Withdraw()
	})
}

// tryEmit writes a record unless that would wait.
func tryEmit(wr *writer.Writer[trade], v *trade) (full bool, err error) {
	channel, err := wr.TryEmit(v)
	return channel >= 0, err
}

// Records that are flushed one by one travel together when the connection is busy.
func TestSmallFlushesAreCoalesced(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		l := n.Link("reader", "writer")
		l.Latency(time.Millisecond, time.Millisecond)
		l.BytesPerSecond(1 << 20)
		messages := 0
		watch(l, func(m rwtest.Message) int {
			if m.Header[4] == typeData {
				messages++
			}
			return rwtest.Pass
		})
		const total = 50_000
		done := make(chan error, 1)
		wr := w.writer(0, writer.FlushEveryRecord())
		go func() { done <- produce(w.ctx, wr, 0, total, "") }()
		if got, err := readAll(w.ctx, w.reader(0)); got != total || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if messages > total/100 {
			t.Errorf("%d records in %d messages", total, messages)
		}
	})
}

// Records that are larger than any block, any message and the budget arrive in pieces.
func TestLargeRecords(t *testing.T) {
	virtual(t, options{budget: transport.BudgetConfig{Bytes: 16 << 10, ExclusiveBytes: 1 << 10}, config: func(s, _ *transport.Config) { s.MaxDataBytes = 1 << 10 }}, func(t *testing.T, n *rwtest.Network, w *world) {
		n.Link("reader", "writer").CutEvery(50_000, 100_000)
		text := strings.Repeat("0123456789", 20_000)
		wr := w.writer(0)
		done := make(chan error, 1)
		go func() {
			var err error
			for i := range 20 {
				err = errors.Join(err, wr.Emit(w.ctx, &trade{Seq: int64(i), Note: text[:i*10_000]}))
			}
			done <- errors.Join(err, wr.Close())
		}()
		r := w.reader(0)
		var v trade
		for i := range 20 {
			if ok, err := r.Next(w.ctx, &v); !ok || err != nil || v.Seq != int64(i) || v.Note != text[:i*10_000] {
				t.Fatalf("record %d: %v, %v", i, ok, err)
			}
		}
		if got, err := readAll(w.ctx, r); got != 0 || err != nil {
			t.Error(got, err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// The largest event there can be crosses, again and again: each needs the whole window. Latency markers and the end of data cross too, with cuts.
func TestEventsOfAllKinds(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		n.Link("reader", "writer").CutEvery(600_000, 2<<20)
		wr := w.writer(0)
		size := partition.MaxEventData
		done := make(chan error, 1)
		go func() {
			small := errors.Join(writer.SendEventWait(w.ctx, wr, notes(t), &note{"small"}), wr.Mark())
			err := writer.SendEventWait(w.ctx, wr, notes(t), &note{strings.Repeat("x", size)})
			for errors.Is(err, partition.ErrEventTooLarge) {
				size--
				err = writer.SendEventWait(w.ctx, wr, notes(t), &note{strings.Repeat("x", size)})
			}
			err = errors.Join(small, err, writer.SendEventWait(w.ctx, wr, notes(t), &note{strings.Repeat("y", size)}), wr.EndOfData(true))
			done <- errors.Join(err, wr.Close())
		}()
		var got []int
		markers, drained := 0, 0
		r := w.reader(0,
			gate.OnEvent(notes(t), func(_ gate.Origin, e *note) error { got = append(got, len(e.Text)); return nil }),
			gate.OnLatency(func(gate.Latency) { markers++ }),
			gate.OnEndOfData(func(e gate.EndOfData) {
				if e.Drained {
					drained++
				}
			}))
		if k, err := readAll(w.ctx, r); k != 0 || err != nil {
			t.Error(k, err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if len(got) != 3 || got[0] != 5 || got[1] != size || got[2] != size || size < partition.MaxEventData-8 || markers != 1 || drained != 1 {
			t.Errorf("events of %v bytes, the largest of %d, %d latency markers, drained %d times", got, size, markers, drained)
		}
	})
}

// tradeV2 is another version of trade; tradeText one that cannot be read.
type (
	tradeV2 struct {
		Seq   int64
		Extra string `rw:"default=none"`
	}
	tradeText struct{ Seq string }
)

// An older version of the record is read as the newer one, without a word on the wire but its schema.
func TestSchemaIsResolved(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, _ *rwtest.Network, w *world) {
		go func() { _ = produce(w.ctx, w.writer(0), 0, 1000, "abc") }()
		ser, err := record.Reflect[tradeV2](record.Alias("trade"))
		if err != nil {
			t.Fatal(err)
		}
		var contract partition.Contract
		g, err := gate.New(gate.Config{Sources: []gate.Source{w.open(0, 0, func(c *transport.ChannelConfig) { c.Contract = &contract })}, Contract: &contract})
		if err != nil {
			t.Fatal(err)
		}
		r, err := gate.NewReader(g, ser)
		if err != nil {
			t.Fatal(err)
		}
		k := int64(0)
		for v, err := range r.All(w.ctx) {
			if err != nil || v.Seq != k || v.Extra != "none" {
				t.Fatalf("record %d is %+v, %v", k, v, err)
			}
			k++
		}
		if err := r.Close(); err != nil || k != 1000 {
			t.Error(k, err)
		}
	})
}

// One that cannot be read is refused on both sides, which name the field.
func TestSchemaIsRefused(t *testing.T) {
	for _, late := range []bool{false, true} { // the reader comes after the channel has failed
		virtual(t, options{}, func(t *testing.T, _ *rwtest.Network, w *world) {
			ser, err := record.Reflect[tradeText](record.Alias("trade"))
			if err != nil {
				t.Fatal(err)
			}
			var contract partition.Contract
			if err := contract.JoinReader("consumer 0", ser.Schema()); err != nil {
				t.Fatal(err)
			}
			ch := w.open(0, 0, func(c *transport.ChannelConfig) { c.Contract = &contract })
			g, err := gate.New(gate.Config{Sources: []gate.Source{ch}})
			if err != nil {
				t.Fatal(err)
			}
			wr := w.writer(0)
			done := make(chan error, 1)
			go func() { done <- emitUntil(w.ctx, wr, 0) }()
			if late {
				time.Sleep(time.Second)
			}
			r, err := gate.NewReader(g, ser)
			if err == nil {
				var v tradeText
				_, err = r.Next(w.ctx, &v)
				_ = r.Close()
			}
			fails(t, err, partition.ErrSchema)
			there := <-done
			fails(t, there, partition.ErrSchema)
			for _, err := range []error{err, there} {
				if !strings.Contains(err.Error(), "Seq") {
					t.Errorf("%v does not name the field", err)
				}
			}
			_ = wr.CloseWithError(there)
			w.pubs[0].Withdraw()
		})
	}
}

// A partition that is withdrawn fails its readers, open or not yet opened, and what they have got stays.
func TestWithdraw(t *testing.T) {
	virtual(t, options{consumers: 2}, func(t *testing.T, _ *rwtest.Network, w *world) {
		wr := w.writer(0)
		r := readerOf(t, w.open(0, 0, nil))
		if err := emit(w.ctx, wr, 0, 100); err != nil {
			t.Fatal(err)
		}
		take(t, w, r, 100)
		w.pubs[0].Withdraw()
		_, err := readAll(w.ctx, r)
		fails(t, err, transport.ErrClosed)
		if err := w.pubs[0].Wait(w.ctx); !errors.Is(err, transport.ErrClosed) {
			t.Error(err)
		}
		fails(t, emitUntil(w.ctx, wr, 0), transport.ErrClosed, partition.ErrConsumerGone)
		_ = wr.CloseWithError(errFull)
		w.parts[0].Discard(1)
	})
}
