package credit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/zeebo/xxh3"
)

// unit is how many bytes of records the explored systems count as one: half of the smallest block, so that blocks fill up in parts.
const unit = memory.MinBlock / 2

// step is one step of a stream: a unit of records, an event, the end of data, or the end.
type step struct {
	kind   byte // 'd', 'e', 'f', 'E'
	weight uint64
}

// streamOf reads a stream: d for each unit of records, e for a small event, L for the largest one, H for one of half of the window and a bit, f for the end of data; the end is added.
func streamOf(text string) (steps []step) {
	for _, c := range text {
		switch c {
		case 'd':
			steps = append(steps, step{'d', unit})
		case 'e':
			steps = append(steps, step{'e', EventWeight})
		case 'L':
			steps = append(steps, step{'e', Window})
		case 'H':
			steps = append(steps, step{'e', Window/2 + EventWeight})
		case 'f':
			steps = append(steps, step{'f', EventWeight})
		}
	}
	return append(steps, step{'E', EventWeight})
}

// message is one on the way.
type message struct {
	kind    byte // O open, o opened, d data, e event, f end of data, E end, C credit, X cancel, Z closed
	channel uint8
	first   uint8 // step of the stream with which it begins: what it carries
	units   uint8 // of data
	begun   bool  // the header of a DATA has arrived, and units are those that have not
	backlog uint32
	at      Position // of data and events; received, acknowledged
	limit   Position
}

// move is what can happen.
type move struct {
	kind    byte // s send, u deliver up, d deliver down, c credit, r read, x cancel, K cut, R reconnect, l deliver late, G the server leaves
	channel int
	n       int
}

// optional reports whether it need not happen.
func (m move) optional() bool {
	return m.kind == 'x' || m.kind == 'K' || m.kind == 'l' || m.kind == 'G'
}

func (m move) String() string {
	names := map[byte]string{'s': "server sends", 'u': "server receives", 'd': "client receives", 'c': "client sends CREDIT", 'r': "reader reads", 'x': "reader cancels", 'K': "cut", 'R': "client connects",
		'l': "server receives from the old connection", 'G': "server leaves"}
	return fmt.Sprintf("%s, channel %d, %d", names[m.kind], m.channel, m.n)
}

// scenario is what does not change.
type scenario struct {
	streams [][]step
	cancels bool // readers may cancel
	late    bool // what was under way to the server may arrive after the client has connected again
	leaves  bool // the server may leave when all its channels are closed
}

// system is a server, a client, and what is between them.
type system struct {
	*scenario
	cuts      int8 // that may still happen
	connected bool
	gone      bool // the server has left
	down, up  []message
	old       []message // under way to the server when the connection broke
	servers   []server
	clients   []client
	ledger    *Ledger
}

// server is the server's side of a channel.
type server struct {
	known, here, closed bool // there is one in the session; it is open on this connection; CLOSED was sent
	flow                Sender
}

// client is the client's side of a channel.
type client struct {
	here, canceled, closed bool // OPEN was sent on this connection
	flow                   Receiver
	got, read              uint8 // steps of the stream
	blocks                 []block
}

// block is one that a channel holds, in units.
type block struct {
	size, filled, read uint8
	exclusive          bool
}

func newSystem(cuts int, c Config, sc scenario) *system {
	c.Channels = len(sc.streams)
	s := &system{scenario: &sc, cuts: int8(cuts), servers: make([]server, len(sc.streams)), clients: make([]client, len(sc.streams)), ledger: NewLedger(c)}
	for i := range sc.streams {
		if err := s.ledger.Open(i); err != nil {
			panic(err)
		}
	}
	s.settle()
	return s
}

func (s *system) clone() *system {
	n := *s
	n.down, n.up, n.old = slices.Clone(s.down), slices.Clone(s.up), slices.Clone(s.old)
	n.servers, n.clients = slices.Clone(s.servers), slices.Clone(s.clients)
	for i := range n.servers {
		n.servers[i].flow.events = slices.Clone(s.servers[i].flow.events)
		n.clients[i].blocks = slices.Clone(s.clients[i].blocks)
	}
	l := *s.ledger
	l.accounts = slices.Clone(l.accounts)
	n.ledger = &l
	return &n
}

// key tells states apart.
func (s *system) key() xxh3.Uint128 {
	b := make([]byte, 0, 512)
	flag := func(all ...bool) {
		for _, v := range all {
			if v {
				b = append(b, 1)
			} else {
				b = append(b, 0)
			}
		}
	}
	num := func(all ...uint64) {
		for _, v := range all {
			b = binary.AppendUvarint(b, v)
		}
	}
	pos := func(all ...Position) {
		for _, p := range all {
			num(p.Data, p.Events)
		}
	}
	flag(s.connected, s.gone)
	num(uint64(s.cuts))
	for _, link := range [][]message{s.down, s.up, s.old} {
		num(uint64(len(link)))
		for _, m := range link {
			b = append(b, m.kind, m.channel, m.first, m.units)
			flag(m.begun)
			num(uint64(m.backlog))
			pos(m.at, m.limit)
		}
	}
	for i := range s.servers {
		v := &s.servers[i]
		flag(v.known, v.here, v.closed, v.flow.ended)
		pos(v.flow.sent, v.flow.acked, v.flow.limit)
		num(uint64(len(v.flow.events)))
		for _, e := range v.flow.events {
			num(e.data, e.after)
		}
	}
	for i := range s.clients {
		c := &s.clients[i]
		flag(c.here, c.canceled, c.closed, c.flow.ended)
		pos(c.flow.received, c.flow.acked, c.flow.said)
		num(c.flow.granted, c.flow.read, c.flow.arriving, uint64(len(c.blocks)))
		b = append(b, c.got, c.read)
		for _, k := range c.blocks {
			b = append(b, k.size, k.filled, k.read)
			flag(k.exclusive)
		}
	}
	l := s.ledger
	num(uint64(l.held), uint64(l.kept), uint64(l.floated), l.moved)
	for _, q := range l.queues {
		num(uint64(q.head), uint64(q.tail))
	}
	for i := range l.accounts {
		a := &l.accounts[i]
		flag(a.open, a.guaranteed)
		num(uint64(a.held), uint64(a.own), uint64(a.room), uint64(a.backlog), uint64(a.size), a.mark, uint64(a.filled), uint64(a.in), uint64(a.prev), uint64(a.next))
	}
	return xxh3.Hash128(b)
}

// moves returns all that can happen.
func (s *system) moves() (all []move) {
	if s.connected {
		for i := range s.servers {
			all = s.sends(all, i)
		}
		if len(s.up) > 0 {
			all = append(all, move{'u', int(s.up[0].channel), 0})
		}
		if len(s.down) > 0 {
			all = append(all, move{'d', int(s.down[0].channel), 0})
		}
		for i := range s.clients {
			if c := &s.clients[i]; c.here && !c.closed && !c.canceled && c.flow.Due(len(s.down) == 0) {
				all = append(all, move{'c', i, 0})
			}
		}
		if s.cuts > 0 {
			all = append(all, move{'K', 0, 0})
		}
	} else if slices.ContainsFunc(s.clients, func(c client) bool { return !c.closed }) {
		all = append(all, move{'R', 0, 0})
	}
	if len(s.old) > 0 {
		all = append(all, move{'l', int(s.old[0].channel), 0})
	}
	for i := range s.clients {
		c := &s.clients[i]
		if !c.canceled && c.read < c.got {
			all = append(all, move{'r', i, 0})
		}
		if s.cancels && !c.canceled && !c.closed {
			all = append(all, move{'x', i, 0})
		}
	}
	if s.leaves && !s.gone && !slices.ContainsFunc(s.servers, func(v server) bool { return !v.closed }) {
		all = append(all, move{'G', 0, 0})
	}
	return all
}

// sends adds what the server may send of a channel.
func (s *system) sends(all []move, i int) []move {
	v := &s.servers[i]
	if !v.here || v.flow.Ended() {
		return all
	}
	k, ok := s.place(i, v.flow.Sent())
	if !ok {
		return append(all, move{'s', i, 0}) // fails
	}
	switch next := s.streams[i][k]; next.kind {
	case 'd':
		room := int(v.flow.Room() / unit)
		for n := 1; n <= min(room, s.run(i, k)); n++ {
			all = append(all, move{'s', i, n})
		}
	case 'e', 'f':
		if v.flow.EventRoom(next.weight, next.kind == 'f') {
			all = append(all, move{'s', i, 0})
		}
	case 'E':
		all = append(all, move{'s', i, 0})
	}
	return all
}

// place returns which step of a stream begins at a position.
func (s *system) place(i int, p Position) (int, bool) {
	var at Position
	for k, st := range s.streams[i] {
		if at == p {
			return k, true
		}
		if st.kind == 'd' {
			at.Data += st.weight
		} else {
			at.Events += st.weight
		}
	}
	return len(s.streams[i]), at == p
}

// run returns how many units of records follow each other from step k on.
func (s *system) run(i, k int) (n int) {
	for k+n < len(s.streams[i]) && s.streams[i][k+n].kind == 'd' {
		n++
	}
	return n
}

// apply makes a move. An error is a fault of the code that is explored.
func (s *system) apply(m move) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	switch m.kind {
	case 's':
		err = s.send(m.channel, m.n)
	case 'u':
		in := s.up[0]
		s.up = s.up[1:]
		err = s.serve(in)
	case 'l':
		in := s.old[0]
		s.old = s.old[1:]
		err = s.serveLate(in)
	case 'd':
		err = s.receive()
	case 'c':
		ack, limit := s.clients[m.channel].flow.Announce()
		s.up = append(s.up, message{kind: 'C', channel: uint8(m.channel), at: ack, limit: limit})
	case 'r':
		s.readStep(m.channel)
	case 'x':
		s.cancel(m.channel)
	case 'K':
		s.cuts--
		s.breakUp()
	case 'G':
		s.gone = true
		s.breakUp()
	case 'R':
		err = s.connect()
	}
	if err == nil {
		s.settle()
	}
	return err
}

func (s *system) send(i, n int) error {
	v := &s.servers[i]
	k, ok := s.place(i, v.flow.Sent())
	if !ok {
		return fmt.Errorf("%v is no place of the stream", v.flow.Sent())
	}
	m := message{kind: s.streams[i][k].kind, channel: uint8(i), first: uint8(k), at: v.flow.Sent()}
	switch m.kind {
	case 'd':
		v.flow.SendData(uint64(n) * unit)
		m.units = uint8(n)
		m.backlog = uint32(s.run(i, k+n)*unit+1023) >> 10
	case 'E':
		v.flow.SendEnd()
	default:
		v.flow.SendEvent(s.streams[i][k].weight, m.kind == 'f')
	}
	s.down = append(s.down, m)
	return nil
}

// serve takes a message at the server.
func (s *system) serve(m message) error {
	v := &s.servers[m.channel]
	switch {
	case m.kind == 'O' && !v.known:
		v.known, v.here = true, true
		v.flow.Start(Position{}, m.limit)
		s.down = append(s.down, message{kind: 'o', channel: m.channel})
	case m.kind == 'O' && v.closed:
		s.down = append(s.down, message{kind: 'Z', channel: m.channel})
	case m.kind == 'O':
		v.here = true
		if err := v.flow.Resume(m.at, m.limit); err != nil {
			return err
		}
		s.down = append(s.down, message{kind: 'o', channel: m.channel})
		s.endIfDone(int(m.channel))
	case !v.here: // crossed with CLOSED
	case m.kind == 'C':
		if _, _, err := v.flow.Credit(m.at, m.limit); err != nil {
			return err
		}
		s.endIfDone(int(m.channel))
	case m.kind == 'X':
		s.closeChannel(int(m.channel))
	}
	return nil
}

// serveLate takes a message of a connection that has been replaced, or is not known to be broken.
func (s *system) serveLate(m message) error {
	v := &s.servers[m.channel]
	if m.kind != 'C' || !v.known || v.closed {
		return nil
	}
	_, _, err := v.flow.Credit(m.at, m.limit)
	if err == nil && v.flow.Done() {
		if v.here {
			s.closeChannel(int(m.channel))
		}
		v.closed = true
	}
	return err
}

func (s *system) endIfDone(i int) {
	if s.servers[i].flow.Done() {
		s.closeChannel(i)
	}
}

func (s *system) closeChannel(i int) {
	s.servers[i].here, s.servers[i].closed = false, true
	s.down = append(s.down, message{kind: 'Z', channel: uint8(i)})
}

// receive takes the next of what arrives at the client: a message, the header of a DATA, or one unit of it.
func (s *system) receive() error {
	m := &s.down[0]
	i := int(m.channel)
	c := &s.clients[i]
	switch {
	case m.kind == 'Z':
		if !c.canceled && !c.flow.Ended() {
			return errors.New("closed before the end")
		}
		c.closed = true
	case m.kind == 'o', c.canceled:
	case m.kind == 'd' && !m.begun:
		if err := c.flow.Data(m.at.Data, int(m.units)*unit); err != nil {
			return err
		}
		s.ledger.Backlog(i, int64(m.units)*unit+int64(m.backlog)<<10)
		m.begun = true
		return nil
	case m.kind == 'd':
		if err := c.take(m.first); err != nil {
			return err
		}
		c.flow.Arrived(unit)
		s.ledger.Filled(i, unit)
		k := slices.IndexFunc(c.blocks, func(b block) bool { return b.filled < b.size })
		c.blocks[k].filled++
		m.first++
		if m.units--; m.units > 0 {
			return nil
		}
	case m.kind == 'E':
		if err := errors.Join(c.flow.End(m.at), c.take(m.first)); err != nil {
			return err
		}
		s.ledger.Close(i)
		s.release(i)
	default:
		if err := errors.Join(c.flow.Event(m.at, s.streams[i][m.first].weight, m.kind == 'f'), c.take(m.first)); err != nil {
			return err
		}
	}
	s.down = s.down[1:]
	return nil
}

// take delivers a step of the stream.
func (c *client) take(k uint8) error {
	if k != c.got {
		return fmt.Errorf("step %d is delivered where %d is due", k, c.got)
	}
	c.got++
	return nil
}

// readStep lets the reader take the next step.
func (s *system) readStep(i int) {
	c := &s.clients[i]
	st := s.streams[i][c.read]
	c.read++
	switch st.kind {
	case 'd':
		k := slices.IndexFunc(c.blocks, func(b block) bool { return b.read < b.filled })
		c.blocks[k].read++
		s.release(i)
	case 'e', 'f':
		c.flow.EventRead(st.weight)
	}
}

// release gives back the blocks of a channel that nobody needs.
func (s *system) release(i int) {
	c := &s.clients[i]
	over := c.canceled || c.flow.Ended()
	c.blocks = slices.DeleteFunc(c.blocks, func(b block) bool {
		done := c.canceled || b.read == b.size || over && b.read == b.filled
		if done {
			s.ledger.Released(Block{i, int(b.size) * unit, b.exclusive})
		}
		return done
	})
}

func (s *system) cancel(i int) {
	c := &s.clients[i]
	c.canceled = true
	if !c.flow.Ended() {
		s.ledger.Close(i)
	}
	s.release(i)
	if s.connected && c.here {
		s.up = append(s.up, message{kind: 'X', channel: uint8(i)})
	}
}

func (s *system) breakUp() {
	if s.late && !s.gone {
		s.old = s.up
	}
	s.connected, s.up, s.down = false, nil, nil
	for i := range s.servers {
		s.servers[i].here, s.clients[i].here = false, false
	}
}

func (s *system) connect() error {
	for i := range s.clients {
		c := &s.clients[i]
		switch {
		case c.closed:
			continue
		case s.gone && !c.canceled && !c.flow.Ended():
			return fmt.Errorf("channel %d: the server has left, and the tail is missing", i)
		case s.gone:
			c.closed = true
			continue
		}
		c.here = true
		received, limit := c.flow.Open()
		s.up = append(s.up, message{kind: 'O', channel: uint8(i), at: received, limit: limit})
		if c.canceled {
			s.up = append(s.up, message{kind: 'X', channel: uint8(i)})
		}
	}
	s.connected = !s.gone
	return nil
}

// settle hands out memory as long as the ledger has some.
func (s *system) settle() {
	for {
		b, ok := s.ledger.Next()
		if !ok {
			return
		}
		s.ledger.Took(b)
		c := &s.clients[b.Channel]
		c.flow.Grant(b.Bytes)
		c.blocks = append(c.blocks, block{size: uint8(b.Bytes / unit), exclusive: b.Exclusive})
	}
}

// final reports whether all was delivered and read, or canceled, and everybody knows.
func (s *system) final() bool {
	return len(s.up) == 0 && len(s.down) == 0 && s.ledger.Used() == 0 && !slices.ContainsFunc(s.clients, func(c client) bool { return !c.closed || !c.canceled && c.read < c.got })
}

// check returns what must not be in a state.
func (s *system) check() error {
	if s.ledger.Used() > s.ledger.total {
		return fmt.Errorf("%d bytes are held, there are %d", s.ledger.Used(), s.ledger.total)
	}
	if len(s.up) > 64 {
		return errors.New("the client says the same again and again")
	}
	for i := range s.clients {
		c, v := &s.clients[i], &s.servers[i]
		var held, room int64
		for _, b := range c.blocks {
			held += int64(b.size) * unit
			room += int64(b.size-b.filled) * unit
		}
		limit, received := c.flow.Limit(), c.flow.Received()
		if p := s.position(i, int(c.got)); !c.canceled && p != received {
			return fmt.Errorf("channel %d: delivered up to %v, and says %v", i, p, received)
		}
		if held != s.ledger.Held(i) {
			return fmt.Errorf("channel %d holds %d bytes, and is said to hold %d", i, held, s.ledger.Held(i))
		}
		if !c.canceled && !c.flow.Ended() && (room != s.ledger.Room(i) || limit.Data-received.Data != uint64(room)) {
			return fmt.Errorf("channel %d has room for %d bytes, the ledger knows of %d, the limit is %v, received are %v", i, room, s.ledger.Room(i), limit, received)
		}
		if received.Events-c.flow.read > Window+exempt {
			return fmt.Errorf("channel %d: events of %d wait for the reader", i, received.Events-c.flow.read)
		}
		if sent := v.flow.Sent(); !v.flow.Acked().AtMost(received) || v.known && !received.AtMost(sent) || sent.Data > limit.Data || !v.flow.Limit().AtMost(limit) {
			return fmt.Errorf("channel %d: acknowledged %v, received %v, sent %v, limits %v and %v", i, v.flow.Acked(), received, sent, v.flow.Limit(), limit)
		}
		if v.closed && !c.canceled && !c.flow.Ended() {
			return fmt.Errorf("channel %d: the server has closed it, and the client has not all of it", i)
		}
	}
	return nil
}

// position returns where step k of a stream begins.
func (s *system) position(i, k int) (at Position) {
	for _, st := range s.streams[i][:k] {
		if st.kind == 'd' {
			at.Data += st.weight
		} else {
			at.Events += st.weight
		}
	}
	return at
}

// after returns what must not become of a state.
func (s *system) after(before *system) error {
	for i := range s.servers {
		v, w := &s.servers[i].flow, &before.servers[i].flow
		c, d := &s.clients[i].flow, &before.clients[i].flow
		if !w.Acked().AtMost(v.Acked()) || !w.Limit().AtMost(v.Limit()) || !d.Received().AtMost(c.Received()) || !d.Limit().AtMost(c.Limit()) || !d.said.AtMost(c.said) || !d.acked.AtMost(c.acked) {
			return fmt.Errorf("channel %d goes back: from %v to %v", i, before, s)
		}
	}
	return nil
}

// String is for counterexamples.
func (s *system) String() string {
	out := fmt.Sprintf("\tconnected %v, cuts left %d, down %s, up %s, old %s, held %d of %d\n", s.connected, s.cuts, show(s.down), show(s.up), show(s.old), s.ledger.Used(), s.ledger.total)
	for i := range s.servers {
		v, c := &s.servers[i], &s.clients[i]
		out += fmt.Sprintf("\tserver %d: known %v, here %v, closed %v, %+v\n", i, v.known, v.here, v.closed, v.flow)
		out += fmt.Sprintf("\tclient %d: here %v, canceled %v, closed %v, got %d, read %d, blocks %v, %+v\n", i, c.here, c.canceled, c.closed, c.got, c.read, c.blocks, c.flow)
	}
	return out
}

func show(link []message) (out string) {
	out = "["
	for _, m := range link {
		out += fmt.Sprintf(" %c%d", m.kind, m.channel)
	}
	return out + " ]"
}
