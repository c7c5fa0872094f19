package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestReadersThatWait runs programs whose readers wait for each other, over exchanges in several processes, in hardly more memory than they need: each must come to its end.
//
// A program is a list of moves, each a record from one producer to one consumer, or to all. A producer writes its moves in order, a reader reads what is there. A move may wait for one that is before it in the list: its reader
// does not read while that is missing, or its producer does not write. So of the first move that was not made nobody who has a part in it waits for anything else: everything that its producer has written before was read, and it must
// arrive, whatever stopped readers were sent meanwhile by other producers, and whoever else takes memory that is not guaranteed.
func TestReadersThatWait(t *testing.T) {
	node, err := transport.Listen(transport.Config{Name: "n", Plain: transport.PlainLoopback, Dial: func(context.Context, string) (net.Conn, error) { return nil, errTest }}, "127.0.0.1:0") // for configurations that are only asked about
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close(context.Background())
	for seed := range runs(t, 60) {
		synctest.Test(t, newProgram(rand.New(rand.NewPCG(seed, 1)), seed, node).run)
	}
}

// runs is how many random runs a test in virtual time makes. .ci/long makes more, by the environment variable RWGEN_RUNS.
func runs(t *testing.T, standard int) uint64 {
	t.Helper()
	if s := os.Getenv("RWGEN_RUNS"); s != "" {
		n, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return uint64(standard)
}

// program is what such a run does.
type program struct {
	seed    uint64
	pool    int64 // that all exchanges of a process share, in each; 0: none
	edges   []*waitEdge
	moves   []move
	readers []*waitReader
	link    func(*rwtest.Link)
	greedy  time.Duration // when somebody takes all that is guaranteed to nobody of each shared pool, until the end; 0: nobody

	mu    sync.Mutex
	moved chan struct{} // closed when a move is made
	made  []int         // by move: how often it was read
	at    map[string]string
}

// waitEdge is one exchange.
type waitEdge struct {
	name                 string
	broadcasts           bool // all of its records are for all consumers
	config               exchange.Config
	producers, consumers []string
	policies             []writer.Option // by producer
	tries                []bool          // by producer: it uses TryEmit and Ready
	late                 []time.Duration // by producer
	exchanges            map[string]*exchange.Exchange
}

// move is a record, which is one for each consumer if to is -1, or an event.
type move struct {
	edge, from, to, bytes int
	read, write           int           // moves that have to be made before it is read, and before it is written; -1: none
	isEvent               bool          // for all, instead of a record
	event, watermark      bool          // behind it
	pause                 time.Duration // of who reads it
}

// beside is what To says of an event that is no move.
const beside = -2

// waitReader reads some consumers of an edge.
type waitReader struct {
	edge      int
	consumers []int
	late      time.Duration // when its gate is made
	idle      bool          // only when it may read
	selects   bool          // it uses Select and TryNext
	leaves    int           // before this move; len(moves): never
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func newProgram(r *rand.Rand, seed uint64, node *transport.Node) *program {
	p := &program{seed: seed, at: map[string]string{}}
	processes := []string{"a:1", "b:1", "c:1", "d:1"}[:1+r.IntN(4)]
	if r.IntN(10) > 0 && len(processes) == 1 {
		processes = []string{"a:1", "b:1"}
	}
	largest := pick(r, 100, 100, 1000, 3000, 40_000, 300_000)
	shared := r.IntN(3) == 0
	edges := pick(r, 1, 1, 2, 3)
	for k := range edges {
		e := &waitEdge{name: fmt.Sprint("edge", k), broadcasts: r.IntN(6) == 0}
		for range 1 + r.IntN(4) {
			e.producers = append(e.producers, pick(r, processes...))
			e.policies = append(e.policies, pick(r, writer.FlushOnFull(), writer.FlushEveryRecord(), writer.FlushAfter(time.Millisecond), nil))
			e.tries = append(e.tries, r.IntN(3) == 0)
			e.late = append(e.late, time.Duration(r.IntN(3)*r.IntN(500))*time.Millisecond)
		}
		by := map[string][]int{}
		for j := range 1 + r.IntN(pick(r, 4, 4, 12)) {
			at := pick(r, processes...)
			e.consumers = append(e.consumers, at)
			by[at] = append(by[at], j)
		}
		for _, at := range processes {
			for all := by[at]; len(all) > 0; {
				n := 1
				if r.IntN(4) == 0 {
					n += r.IntN(len(all))
				}
				p.readers = append(p.readers, &waitReader{edge: k, consumers: all[:n], late: time.Duration(r.IntN(3)*r.IntN(500)) * time.Millisecond, idle: r.IntN(3) == 0, selects: r.IntN(3) == 0})
				all = all[n:]
			}
		}
		p.edges = append(p.edges, e)
	}
	frame := (int64(largest+64) + 1<<10 - 1) &^ (1<<10 - 1)
	for bursts := 3 + r.IntN(20); bursts > 0; bursts-- {
		k := r.IntN(edges)
		e := p.edges[k]
		m := move{edge: k, from: r.IntN(len(e.producers)), to: r.IntN(len(e.consumers)), read: -1, write: -1}
		if e.broadcasts || r.IntN(8) == 0 {
			m.to = -1
		}
		bytes := pick(r, 0, 50, 300, 2000, largest, largest)
		n := 1 + r.IntN(pick(r, 3, 30, 400, 3000))
		n = max(1, min(n, 1_000_000/(bytes+100)))
		before := len(p.moves)
		for i := range n {
			m := m
			m.bytes = r.IntN(min(bytes, largest) + 1)
			if m.to < 0 && r.IntN(3) == 0 {
				m.isEvent, m.bytes = true, r.IntN(min(largest, 500))
			}
			if before > 0 && (i == 0 || r.IntN(200) == 0) {
				if r.IntN(3) > 0 {
					m.read = r.IntN(before)
					if r.IntN(2) == 0 {
						m.read = before - 1
					}
				}
				if r.IntN(8) == 0 {
					m.write = r.IntN(before)
				}
			}
			m.event, m.watermark = r.IntN(100) == 0, r.IntN(50) == 0
			if r.IntN(200) == 0 {
				m.pause = time.Duration(r.IntN(300)) * time.Millisecond
				if r.IntN(10) == 0 {
					m.pause *= 100
				}
			}
			p.moves = append(p.moves, m)
		}
	}
	for _, d := range p.readers {
		d.leaves = len(p.moves)
		if r.IntN(8) == 0 {
			d.leaves = r.IntN(len(p.moves))
		}
	}
	p.made = make([]int, len(p.moves))
	if shared && r.IntN(2) == 0 {
		p.greedy = time.Duration(1+r.IntN(2000)) * time.Millisecond
	}
	p.link = pick(r,
		func(l *rwtest.Link) {},
		func(l *rwtest.Link) { l.Latency(0, 2*time.Millisecond) },
		func(l *rwtest.Link) { l.Latency(0, time.Millisecond); l.CutEvery(1<<12, 1<<20) },
		func(l *rwtest.Link) { l.Window(700); l.Wakeups(time.Millisecond) },
		func(l *rwtest.Link) { l.Latency(time.Millisecond, 5*time.Millisecond); l.Split(1000) })
	// Memory: what is needed at least, or a little more. The room for large records is for all that there are, or what is needed for each producer to have a part of it.
	more := pick(r, 0, 0, 1, 2, 8, 50)
	for _, e := range p.edges {
		incoming := int64(len(e.producers) * len(e.consumers))
		e.config = exchange.Config{LargeBytes: 64 << 20, AssemblyBytes: incoming * (frame*3/2 + 2<<10), EventBytes: int64(pick(r, 1<<10, 2<<10))}
		if r.IntN(3) > 0 {
			e.config.Limits.MaxRecordBytes = largest + 64
			e.config.LargeBytes = 2 * int64(len(e.producers)*(len(e.consumers)+1)*(largest+64+buffer.FrameHeader)+1<<10)
		}
		if r.IntN(2) == 0 {
			e.config.ChannelBytes = int64(pick(r, 1<<10, 8<<10, 64<<10, 16<<20, 16<<20))
		}
		e.config.MemoryBytes = e.config.LargeBytes + e.config.AssemblyBytes + 1<<10
		least := e.config
		for !e.fits(least, node) {
			least.MemoryBytes += (least.MemoryBytes-e.config.LargeBytes-e.config.AssemblyBytes)/20 + 1<<10
		}
		e.config.MemoryBytes = least.MemoryBytes + (least.MemoryBytes-e.config.LargeBytes-e.config.AssemblyBytes)*int64(more)/4
	}
	if shared {
		reserved := int64(0)
		for _, e := range p.edges {
			reserved += e.config.LargeBytes + e.config.AssemblyBytes
		}
		for p.pool = reserved + 4<<10; !p.fit(node); p.pool += (p.pool-reserved)/20 + 1<<10 {
		}
		p.pool += (p.pool - reserved) * int64(more) / 4
	}
	return p
}

// fits reports whether c is enough in all processes.
func (e *waitEdge) fits(c exchange.Config, node *transport.Node) bool {
	for _, self := range slices.Concat(e.producers, e.consumers) {
		c.Processes = &exchange.Processes{Name: e.name, Producers: e.producers, Consumers: e.consumers, Self: self, Node: node}
		if _, err := c.Guarantee(); err != nil {
			if errors.Is(err, memory.ErrInsufficient) {
				return false
			}
			panic(err)
		}
	}
	return true
}

// fit reports whether the pool is enough in all processes.
func (p *program) fit(node *transport.Node) bool {
	pool, err := memory.NewPool(p.pool)
	if err != nil {
		panic(err)
	}
	defer pool.Close()
	sum := map[string]int64{}
	for _, e := range p.edges {
		for _, self := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.producers, e.consumers)))) {
			c := e.config
			c.Memory, c.MemoryBytes = pool, 0
			c.Processes = &exchange.Processes{Name: e.name, Producers: e.producers, Consumers: e.consumers, Self: self, Node: node}
			n, err := c.Guarantee()
			if err != nil {
				return false
			}
			sum[self] += n
		}
	}
	for _, n := range sum {
		if n > p.pool {
			return false
		}
	}
	return true
}

func (p *program) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "pool %d, %d moves", p.pool, len(p.moves))
	for _, e := range p.edges {
		fmt.Fprintf(&s, "\n%s: %v to %v, %+v", e.name, e.producers, e.consumers, e.config)
	}
	for _, d := range p.readers {
		fmt.Fprintf(&s, "\nreader %+v", *d)
	}
	return s.String()
}

func (p *program) run(t *testing.T) {
	p.moved = make(chan struct{}) // in virtual time
	n := rwtest.NewNetwork(rwtest.Seed(p.seed), rwtest.EachLink(p.link))
	rwtest.MustClose(t, n)
	ctx, cancel := context.WithTimeoutCause(context.Background(), 2*time.Hour, errors.New("it does not go on"))
	defer cancel()
	nodes, pools := map[string]*transport.Node{}, map[string]*memory.Pool{}
	for _, e := range p.edges {
		e.exchanges = map[string]*exchange.Exchange{}
		for _, self := range slices.Concat(e.producers, e.consumers) {
			if nodes[self] == nil {
				l, err := n.Listen(self)
				if err != nil {
					t.Fatal(err)
				}
				patience := 3 * time.Hour
				nodes[self], err = transport.NewNode(transport.Config{Name: self, Plain: transport.PlainLoopback, Dial: n.Host(strings.TrimSuffix(self, ":1")).Dial, GiveUp: patience, ResumeWindow: patience}, l)
				if err != nil {
					t.Fatal(err)
				}
				if p.pool > 0 {
					pools[self] = rwtest.NewPool(t, p.pool)
				}
			}
			if e.exchanges[self] != nil {
				continue
			}
			c := e.config
			if p.pool > 0 {
				c.Memory, c.MemoryBytes = pools[self], 0
			}
			c.Processes = &exchange.Processes{Name: e.name, Producers: e.producers, Consumers: e.consumers, Self: self, Node: nodes[self]}
			x, err := exchange.New(c)
			if err != nil {
				t.Fatal(err)
			}
			e.exchanges[self] = x
		}
	}
	over := make(chan struct{})
	var wg, others sync.WaitGroup
	for _, pool := range pools {
		if p.greedy > 0 {
			others.Go(func() { takeAll(t, pool, p.greedy, over) })
		}
	}
	for k, e := range p.edges {
		for i := range e.producers {
			wg.Go(func() {
				if err := p.write(t, ctx, k, i); err != nil {
					t.Errorf("%s: producer %d: %v", e.name, i, err)
				}
			})
		}
	}
	for _, d := range p.readers {
		wg.Go(func() {
			if err := p.read(t, ctx, d); err != nil {
				t.Errorf("%s: consumers %d: %v", p.edges[d.edge].name, d.consumers, err)
			}
		})
	}
	stuck := context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for who, at := range p.at {
			t.Logf("%s: %s", who, at)
		}
		for _, e := range p.edges {
			for self, x := range e.exchanges {
				t.Logf("%s at %s: %+v %+v", e.name, self, x.Stats().Pool, x.Stats().Assembly)
			}
		}
	})
	wg.Wait()
	close(over)
	others.Wait()
	stuck()
	if t.Failed() {
		cancel()
	}
	for _, e := range p.edges {
		for self, x := range e.exchanges {
			wg.Go(func() {
				if t.Failed() {
					_ = x.Abort(errTest)
				} else if err := x.Close(ctx); err != nil {
					t.Errorf("%s at %s: %v", e.name, self, err)
				} else if s := x.Stats(); s.Pool.Held != 0 || s.Pool.Large != 0 || s.Assembly.Used != 0 || p.pool == 0 && s.Pool.Peak > s.Pool.Limit {
					t.Errorf("%s at %s is closed: %+v, %+v", e.name, self, s.Pool, s.Assembly)
				}
			})
		}
	}
	wg.Wait()
	for self, node := range nodes {
		wg.Go(func() {
			if err := node.Close(ctx); err != nil && !t.Failed() {
				t.Errorf("%s: %v", self, err)
			}
		})
	}
	wg.Wait()
}

// takeAll takes everything of a pool that is guaranteed to nobody, after some time, and keeps it until over is closed.
func takeAll(t *testing.T, pool *memory.Pool, after time.Duration, over <-chan struct{}) {
	time.Sleep(after)
	share, err := pool.NewShare(0, pool.Stats().Limit, nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer share.Close()
	for {
		size := memory.MaxBlock
		segment, ok := share.Acquire(size)
		for !ok && size > memory.MinBlock {
			size /= 2
			segment, ok = share.Acquire(size)
		}
		if ok {
			defer share.Release(segment)
			continue
		}
		select {
		case <-over:
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// says keeps where somebody is.
func (p *program) says(who, format string, args ...any) {
	p.mu.Lock()
	p.at[who] = fmt.Sprintf(format, args...)
	p.mu.Unlock()
}

// done reports whether a move is made; if not, the channel is closed when another one was. REQUIRES: mu not held.
func (p *program) done(k int) (bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k < 0 {
		return true, nil
	}
	want := 1
	if m := p.moves[k]; m.to < 0 {
		want = len(p.edges[m.edge].consumers)
	}
	return p.made[k] >= want, p.moved
}

// wait waits until a move is made.
func (p *program) wait(ctx context.Context, k int) error {
	for {
		ok, moved := p.done(k)
		if ok {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("waits for move %d: %w", k, context.Cause(ctx))
		}
	}
}

// make says that moves were made.
func (p *program) make(moves ...int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, k := range moves {
		p.made[k]++
	}
	close(p.moved)
	p.moved = make(chan struct{})
}

func (p *program) write(t *testing.T, ctx context.Context, edge, i int) error {
	e := p.edges[edge]
	time.Sleep(e.late[i])
	selects := selector.Func(func(v *parcel, _ int) int { return int(v.To) })
	if e.broadcasts {
		selects = selector.Broadcast[parcel]()
	}
	w, err := writer.New(e.exchanges[e.producers[i]].Partition(i), parcels(t), e.policies[i], writer.WithSelector(selects))
	if err != nil {
		return err
	}
	who := fmt.Sprintf("%s: producer %d", e.name, i)
	for k, m := range p.moves {
		if m.edge != edge || m.from != i {
			continue
		}
		p.says(who, "move %d %+v", k, m)
		if ok, _ := p.done(m.write); !ok {
			if err := errors.Join(w.Flush(), p.wait(ctx, m.write)); err != nil {
				return errors.Join(err, w.CloseWithError(err))
			}
		}
		v := parcel{From: int32(i), To: int32(m.to), Seq: int64(k), Load: make([]byte, m.bytes)}
		switch {
		case m.isEvent:
			err = writer.SendEventWait(ctx, w, parcels(t), &v)
		case m.to < 0 && !e.broadcasts:
			err = w.Broadcast(ctx, &v)
		case e.tries[i]:
			err = tryUntil(ctx, w, &v)
		default:
			err = w.Emit(ctx, &v)
		}
		if err == nil && m.watermark {
			err = w.Watermark(time.UnixMicro(int64(k)))
		}
		if err == nil && m.event {
			v.To, v.Load = beside, nil
			err = writer.SendEvent(w, parcels(t), &v)
			if writer.EventRefused(err) {
				err = nil // it would be read by readers that wait
			}
		}
		if err != nil {
			return errors.Join(fmt.Errorf("move %d: %w", k, err), w.CloseWithError(err))
		}
	}
	p.says(who, "closes")
	if err := w.Close(); err != nil {
		return err
	}
	p.says(who, "done")
	return nil
}

// tryUntil is Emit by TryEmit and Ready.
func tryUntil(ctx context.Context, w *writer.Writer[parcel], v *parcel) error {
	for {
		full, err := w.TryEmit(v)
		if err != nil || full < 0 {
			return err
		}
		select {
		case <-w.Ready(full):
		case <-ctx.Done():
			return fmt.Errorf("waits for channel %d: %w", full, context.Cause(ctx))
		}
	}
}

// next is Next, by Select and TryNext if selects.
func next(ctx context.Context, r *gate.Reader[parcel], selects bool, v *parcel) (bool, error) {
	if !selects {
		return r.Next(ctx, v)
	}
	for {
		if _, err := gate.Select(ctx, r); err != nil {
			return false, err
		}
		if ok, ended, err := r.TryNext(v); ok || ended || err != nil {
			return ok, err
		}
	}
}

func (p *program) read(t *testing.T, ctx context.Context, d *waitReader) error {
	e := p.edges[d.edge]
	// due has the moves for this reader, by the channels of its gate; all has them in order.
	type copied struct{ move, channel int }
	due := make([][]int, len(d.consumers)*len(e.producers))
	var all []copied
	for k, m := range p.moves {
		if m.edge != d.edge {
			continue
		}
		for c, j := range d.consumers {
			if m.to == j || m.to < 0 {
				ch := c*len(e.producers) + m.from
				due[ch] = append(due[ch], k)
				all = append(all, copied{k, ch})
			}
		}
	}
	read := make([]int, len(due)) // by channel
	who := fmt.Sprintf("%s: reader of %d", e.name, d.consumers)
	// first returns the first move that was not read.
	missing := 0
	first := func() int {
		for ; missing < len(all); missing++ {
			if c := all[missing]; read[c.channel] < len(due[c.channel]) && due[c.channel][read[c.channel]] <= c.move {
				return c.move
			}
		}
		return len(p.moves)
	}
	take := func(v *parcel, consumer int) error {
		ch := slices.Index(d.consumers, consumer)*len(e.producers) + int(v.From)
		if read[ch] == len(due[ch]) || v.Seq != int64(due[ch][read[ch]]) || len(v.Load) != p.moves[v.Seq].bytes {
			return fmt.Errorf("consumer %d: move %d of producer %d, %d bytes, after %d of %d", consumer, v.Seq, v.From, len(v.Load), read[ch], len(due[ch]))
		}
		read[ch]++
		p.make(int(v.Seq))
		return nil
	}
	time.Sleep(d.late)
	await := func() error {
		if k := first(); k < len(p.moves) && p.moves[k].read >= 0 {
			p.says(who, "waits before move %d %+v", k, p.moves[k])
			return p.wait(ctx, p.moves[k].read)
		}
		return nil
	}
	if d.idle && first() < d.leaves {
		if err := await(); err != nil {
			return err
		}
	}
	p.says(who, "makes its reader")
	mark := time.Time{}
	r, err := gate.NewReader(e.exchanges[e.consumers[d.consumers[0]]].Gate(d.consumers...), parcels(t),
		gate.OnWatermark(func(w time.Time) {
			if !w.After(mark) {
				t.Errorf("%s: watermark %v after %v", who, w, mark)
			}
			mark = w
		}),
		gate.OnEvent(parcels(t), func(o gate.Origin, v *parcel) error {
			if v.To == beside {
				return nil
			}
			return take(v, o.Channel)
		}))
	if err != nil {
		return err
	}
	for {
		k := first()
		if k >= d.leaves && d.leaves < len(p.moves) {
			p.says(who, "left")
			err := r.CloseWithError(partition.ErrEnough)
			var rest []int
			for ch := range due {
				rest = append(rest, due[ch][read[ch]:]...)
			}
			p.make(rest...)
			return err
		}
		if err := await(); err != nil {
			return errors.Join(err, r.CloseWithError(err))
		}
		p.says(who, "reads, move %d is missing", k)
		var v parcel
		ok, err := next(ctx, r, d.selects, &v)
		if err != nil {
			return errors.Join(fmt.Errorf("move %d is missing: %w", k, err), r.Close())
		}
		if !ok {
			if k := first(); k < len(p.moves) { // events may have been the last
				err = fmt.Errorf("ended before move %d", k)
			}
			p.says(who, "done")
			return errors.Join(err, r.Close())
		}
		if err := take(&v, r.Last().Channel); err != nil {
			return errors.Join(err, r.Close())
		}
		time.Sleep(p.moves[v.Seq].pause)
	}
}
