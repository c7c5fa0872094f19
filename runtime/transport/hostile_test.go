package transport_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// raw is one end of a connection that says what a test says.
type raw struct{ net.Conn }

// say sends a message.
func (r *raw) say(m message.Message, channel uint32) { _, _ = r.Write(m.Append(nil, channel)) }

// next returns the next message but PING. It fails when the connection is over.
func (r *raw) next(from message.Role) (message.Header, message.Message, error) {
	for {
		b := make([]byte, message.HeaderBytes)
		if _, err := io.ReadFull(r, b); err != nil {
			return message.Header{}, nil, err
		}
		h, err := message.ParseHeader(b, from, message.Limits{Data: 1 << 20})
		if err != nil {
			return h, nil, err
		}
		body := make([]byte, h.Length)
		if _, err := io.ReadFull(r, body); err != nil {
			return h, nil, err
		}
		if h.Type == message.TypePing {
			continue
		}
		m, err := message.Parse(h, body)
		return h, m, err
	}
}

// until returns the first message of a type.
func (r *raw) until(t *testing.T, from message.Role, want message.Type) message.Message {
	t.Helper()
	for {
		h, m, err := r.next(from)
		if err != nil {
			t.Fatalf("waiting for %v: %v", want, err)
		}
		if h.Type == want {
			return m
		}
	}
}

// over reads to the end of the connection, and returns the REFUSED that came before it, if one did.
func (r *raw) over(from message.Role) *message.Refused {
	for {
		_, m, err := r.next(from)
		if err != nil {
			return nil
		}
		if m, ok := m.(message.Refused); ok {
			return &m
		}
	}
}

// hello is a valid one.
func hello(name string) message.Hello {
	return message.Hello{Lowest: 1, Highest: 1, Name: name, Incarnation: message.Incarnation{1}, DataMax: 1 << 16, KeepAliveMillis: 5000}
}

// openOf asks for the subpartition 0 of the partition of the world.
func openOf(w *world) message.Open {
	return message.Open{Partition: "trades/0", Producers: 1, Consumers: uint32(w.topology.Consumers), EventRoom: 1 << 20, Limit: transport.Position{Data: 1 << 20, Events: 1 << 20}}
}

// A client that violates the protocol is cut off and told so, and another one is not touched.
func TestHostileClients(t *testing.T) {
	raise := message.Credit{Limit: transport.Position{Data: 1 << 30, Events: 1 << 20}}
	header := func(h message.Header) []byte { return h.Append(nil) }
	for name, c := range map[string]struct {
		before bool // before HELLO
		do     func(r *raw, w *world)
		code   message.Code // of REFUSED
	}{
		"garbage":              {true, func(r *raw, _ *world) { _, _ = r.Write(bytes.Repeat([]byte("GET / HTTP/1.1\r\n"), 10)) }, message.CodeProtocol},
		"nothing":              {true, func(*raw, *world) {}, message.CodeNone},
		"a header and no more": {true, func(r *raw, _ *world) { _, _ = r.Write(hello("x").Append(nil, 0)[:20]) }, message.CodeNone},
		"a giant HELLO": {true, func(r *raw, _ *world) {
			_, _ = r.Write(header(message.Header{Length: 1 << 31, Type: message.TypeHello}))
		}, message.CodeProtocol},
		"OPEN before HELLO":    {true, func(r *raw, w *world) { r.say(openOf(w), 1) }, message.CodeProtocol},
		"no name":              {true, func(r *raw, _ *world) { r.say(hello(""), 0) }, message.CodeProtocol},
		"another version":      {true, func(r *raw, _ *world) { h := hello("x"); h.Lowest, h.Highest = 2, 9; r.say(h, 0) }, message.CodeVersion},
		"tiny messages":        {true, func(r *raw, _ *world) { h := hello("x"); h.DataMax = 3; r.say(h, 0) }, message.CodeProtocol},
		"a year of keep-alive": {true, func(r *raw, _ *world) { h := hello("x"); h.KeepAliveMillis = 1<<32 - 1; r.say(h, 0) }, message.CodeProtocol},
		"garbage afterwards":   {false, func(r *raw, _ *world) { _, _ = r.Write(bytes.Repeat([]byte{0xff}, 100)) }, message.CodeProtocol},
		"HELLO twice":          {false, func(r *raw, _ *world) { r.say(hello("x"), 0) }, message.CodeProtocol},
		"what servers say":     {false, func(r *raw, _ *world) { r.say(message.Closed{}, 1) }, message.CodeProtocol},
		"DATA": {false, func(r *raw, _ *world) {
			_, _ = r.Write(header(message.Header{Length: 13, Type: message.TypeData, Channel: 1}))
		}, message.CodeProtocol},
		"a giant OPEN": {false, func(r *raw, _ *world) {
			_, _ = r.Write(header(message.Header{Length: 1 << 30, Type: message.TypeOpen, Channel: 1}))
		}, message.CodeProtocol},
		"OPEN twice": {false, func(r *raw, w *world) { r.say(openOf(w), 1); r.say(openOf(w), 1) }, message.CodeProtocol},
		"OPEN twice, waiting": {false, func(r *raw, w *world) {
			o := openOf(w)
			o.Partition, o.PatienceMillis = "none", 5000
			r.say(o, 1)
			r.say(o, 1)
		}, message.CodeProtocol},
		"ack of what was not":   {false, func(r *raw, w *world) { r.say(openOf(w), 1); c := raise; c.Acknowledged.Data = 1 << 40; r.say(c, 1) }, message.CodeProtocol},
		"ack of no event":       {false, func(r *raw, w *world) { r.say(openOf(w), 1); c := raise; c.Acknowledged.Events = 7; r.say(c, 1) }, message.CodeProtocol},
		"refused for no reason": {false, func(r *raw, _ *world) { r.say(message.Refused{}, 0) }, message.CodeProtocol},
		"a message in drops": {false, func(r *raw, w *world) {
			for _, b := range openOf(w).Append(nil, 1)[:40] {
				if _, err := r.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}, message.CodeNone},
		"HELLO in drops": {true, func(r *raw, _ *world) {
			for _, b := range hello("x").Append(nil, 0) {
				if _, err := r.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}, message.CodeNone},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, options{consumers: 2, config: func(s, _ *transport.Config) { s.ResumeWindow = time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
				wr := w.writer(0)
				good := readerOf(t, w.open(0, 1, nil))
				conn, err := n.Host("evil").Dial(w.ctx, w.address)
				if err != nil {
					t.Fatal(err)
				}
				r := &raw{Conn: conn}
				if !c.before {
					r.say(hello("evil"), 0)
					r.until(t, message.Server, message.TypeWelcome)
				}
				start := time.Now()
				go c.do(r, w)
				refused := r.over(message.Server)
				within(t, start, 0, 16*time.Second)
				switch {
				case c.code == message.CodeNone && refused != nil, c.code != message.CodeNone && (refused == nil || refused.Fault.Code != c.code):
					t.Errorf("refused: %v, want %v", refused, c.code)
				}
				_ = conn.Close()
				time.Sleep(2 * time.Second) // its session is over
				go func() { _ = errors.Join(emit(w.ctx, wr, 1, 1000), wr.Close()) }()
				if got, err := readAll(w.ctx, good); got != 1000 || err != nil {
					t.Errorf("another client: %d records, %v", got, err)
				}
				time.Sleep(30 * time.Second)
				w.pubs[0].Withdraw()
				w.parts[0].Discard(0)
			})
		})
	}
}

// More connections and channels than a server allows are refused, and those that there are go on.
func TestTooMany(t *testing.T) {
	virtual(t, options{consumers: 3, config: func(s, _ *transport.Config) { s.MaxConnections, s.MaxChannels = 2, 2 }}, func(t *testing.T, n *rwtest.Network, w *world) {
		wr := w.writer(0)
		a, b := readerOf(t, w.open(0, 0, nil)), readerOf(t, w.open(0, 1, nil))
		time.Sleep(time.Second)
		_, err := readAll(w.ctx, readerOf(t, w.open(0, 2, nil)))
		fails(t, err, transport.ErrTooMany)
		var conns []*raw
		for range 2 {
			conn, err := n.Host("evil").Dial(w.ctx, w.address)
			if err != nil {
				t.Fatal(err)
			}
			conns = append(conns, &raw{Conn: conn})
			time.Sleep(time.Millisecond)
		}
		if r := conns[1].over(message.Server); r == nil || r.Fault.Code != message.CodeTooMany {
			t.Errorf("refused: %v", r)
		}
		go func() { _ = errors.Join(emit(w.ctx, wr, 0, 100), emit(w.ctx, wr, 1, 100), wr.Close()) }()
		for _, r := range []*gate.Reader[trade]{a, b} {
			if got, err := readAll(w.ctx, r); got != 100 || err != nil {
				t.Errorf("%d records, %v", got, err)
			}
		}
		_, _ = conns[0].Close(), conns[1].Close()
		w.pubs[0].Withdraw()
		w.parts[0].Discard(2)
	})
}

// A client that asks and does not read the answers is not read from either, and cut off in the end.
func TestClientThatDoesNotRead(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		conn, err := n.Host("evil").Dial(w.ctx, w.address)
		if err != nil {
			t.Fatal(err)
		}
		r := &raw{Conn: conn}
		r.say(hello("evil"), 0)
		r.until(t, message.Server, message.TypeWelcome)
		start := time.Now()
		pings := bytes.Repeat(message.Ping{}.Append(nil, 0), 1000)
		sent := 0
		for err == nil {
			var k int
			k, err = conn.Write(pings)
			sent += k
		}
		if sent > 4<<20 {
			t.Errorf("%d bytes of PING were taken", sent)
		}
		within(t, start, time.Second, 30*time.Second)
		_ = conn.Close()
		go func() { _ = produce(w.ctx, w.writer(0), 0, 10, "") }()
		if got, err := readAll(w.ctx, w.reader(0)); got != 10 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
	})
}

// A server that violates the protocol loses its channels, and those of another server go on.
func TestHostileServers(t *testing.T) {
	data := func(at uint64, n int) func(*raw) {
		return func(r *raw) {
			b := message.AppendDataHeader(nil, 1, at, 0, n)
			_, _ = r.Write(append(b, make([]byte, n)...))
		}
	}
	opened := func(then ...func(*raw)) func(*raw) {
		return func(r *raw) {
			r.say(message.Opened{Incarnation: message.Incarnation{5}}, 1)
			r.say(message.Schema{Number: 0, Record: "trade", Canonical: "x"}, 0)
			r.say(message.Writer{Schema: 0, Name: "w"}, 1)
			for _, f := range then {
				f(r)
			}
		}
	}
	say := func(m message.Message, channel uint32) func(*raw) { return func(r *raw) { r.say(m, channel) } }
	for name, c := range map[string]struct {
		before bool // before WELCOME
		do     func(r *raw)
	}{
		"garbage":                  {true, func(r *raw) { _, _ = r.Write(bytes.Repeat([]byte("HTTP/1.1 400 Bad Request\r\n"), 9)) }},
		"OPENED first":             {true, opened()},
		"another version":          {true, say(message.Welcome{Version: 2, Name: "x", DataMax: 1 << 16}, 0)},
		"giant messages":           {true, say(message.Welcome{Version: 1, Name: "x", DataMax: 1 << 30}, 0)},
		"tiny messages":            {true, say(message.Welcome{Version: 1, Name: "x", DataMax: 1}, 0)},
		"a year of keep-alive":     {true, say(message.Welcome{Version: 1, Name: "x", DataMax: 1 << 16, KeepAliveMillis: 1<<32 - 1}, 0)},
		"a channel that is not":    {false, say(message.Opened{}, 77)},
		"OPENED somewhere else":    {false, say(message.Opened{From: transport.Position{Data: 7}}, 1)},
		"OPENED twice":             {false, opened(say(message.Opened{Incarnation: message.Incarnation{5}}, 1))},
		"DATA before OPENED":       {false, data(0, 1)},
		"DATA before WRITER":       {false, func(r *raw) { r.say(message.Opened{}, 1); data(0, 1)(r) }},
		"DATA at another position": {false, opened(data(5, 10))},
		"DATA beyond the limit":    {false, opened(data(0, 60_000))},
		"DATA of a giant length":   {false, opened(func(r *raw) { _, _ = r.Write(message.AppendDataHeader(nil, 1, 0, 0, 1<<30)) })},
		"DATA behind the end":      {false, opened(say(message.Event{Kind: message.EndOfData}, 1), say(message.Event{Before: transport.Position{Events: 192}, Kind: message.EndOfData}, 1), say(message.Event{Before: transport.Position{Events: 384}, Kind: message.EndOfData}, 1), func(r *raw) { floodEvents(r) })},
		"SCHEMAs without texts": {false, func(r *raw) {
			for i := range uint32(1 << 18) {
				if _, err := r.Write(message.Schema{Number: i}.Append(nil, 0)); err != nil {
					return
				}
			}
		}},
		"WRITER without SCHEMA":   {false, func(r *raw) { r.say(message.Opened{}, 1); r.say(message.Writer{Schema: 3}, 1) }},
		"SCHEMA twice":            {false, opened(say(message.Schema{Number: 0, Record: "trade", Canonical: "y"}, 0))},
		"an event without SCHEMA": {false, opened(say(message.Event{Kind: message.UserEvent, Schema: 9, Record: []byte{0}}, 1))},
		"DENIED after OPENED":     {false, opened(say(message.Denied{Fault: message.Fault{Code: message.CodeNotFound}}, 1))},
		"DENIED twice": {false, func(r *raw) {
			d := message.Denied{Fault: message.Fault{Code: message.CodeNotFound}}
			r.say(d, 1)
			r.say(d, 1)
		}},
		"WELCOME twice":    {false, say(message.Welcome{Version: 1, Name: "x", DataMax: 1 << 16}, 0)},
		"what clients say": {false, say(message.Credit{}, 1)},
		"PINGs":            {false, func(r *raw) { _, _ = r.Write(bytes.Repeat(message.Ping{}.Append(nil, 0), 1<<17)) }},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
				l, err := n.Listen("evil:1")
				if err != nil {
					t.Fatal(err)
				}
				served := make(chan error, 1)
				go func() {
					defer close(served)
					for k := 0; ; k++ {
						conn, err := l.Accept()
						if err != nil {
							return
						}
						r := &raw{Conn: conn}
						if !c.before {
							r.say(message.Welcome{Version: 1, Name: "evil", DataMax: 1 << 16, KeepAliveMillis: 5000}, 0)
						}
						for {
							h, _, err := r.next(message.Client)
							if err != nil || c.before || h.Type == message.TypeOpen {
								break
							}
						}
						c.do(r)
						if name == "PINGs" { // and nothing is read
							time.Sleep(20 * time.Second)
						}
						r.over(message.Client)
						_ = conn.Close()
					}
				}()
				good := w.reader(0)
				start := time.Now()
				_, err = readAll(w.ctx, readerOf(t, w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = "evil:1" })))
				if !errors.Is(err, transport.ErrProtocol) && !errors.Is(err, transport.ErrVersion) && !(name == "PINGs" && errors.Is(err, transport.ErrPeerLost)) {
					t.Errorf("%v, want %v", err, transport.ErrProtocol)
				}
				if used := w.budget.Used(); used > 1<<20 {
					t.Errorf("%d bytes are used", used)
				}
				within(t, start, 0, 40*time.Second)
				go func() { _ = produce(w.ctx, w.writer(0), 0, 1000, "") }()
				if got, err := readAll(w.ctx, good); got != 1000 || err != nil {
					t.Errorf("another server: %d records, %v", got, err)
				}
				_ = l.Close()
				<-served
			})
		})
	}
}

// floodEvents sends ends of data for ever.
func floodEvents(r *raw) {
	for i := uint64(3); ; i++ {
		if _, err := r.Write(message.Event{Before: transport.Position{Events: 192 * i}, Kind: message.EndOfData}.Append(nil, 1)); err != nil {
			return
		}
	}
}
