package exchange

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
)

// ErrClosed is what operations return, beside partition.ErrCanceled, after the exchange was closed before they were done.
var ErrClosed = errors.New("exchange: closed")

// Exchange carries records from producers to consumers. Its methods may be called from any goroutine; the writers and readers made from it may not.
type Exchange struct {
	config     Config
	memory     *memory.Pool
	own        bool          // memory is closed with the exchange
	reserve    *memory.Share // for area
	area       *buffer.Area
	assembly   *assembly
	contract   *partition.Contract
	partitions []*partition.Partition // by producer; nil: in another process
	network    *network

	mu       sync.Mutex
	gates    map[int]*gate.Gate // of single consumers
	all      []*gate.Gate
	names    []string // of all
	canceled error    // set by Cancel and Close; gates made later are canceled at once
}

// New returns an exchange. It fails with memory.ErrInsufficient and the numbers if the budget is too small; with memory.ErrBusy beside it if a shared budget would be
// large enough, but other exchanges hold more of it at present than they are guaranteed.
func New(c Config) (*Exchange, error) {
	return build(c, func(m *memory.Pool, bytes int64) (*memory.Share, error) { return m.NewShare(bytes, bytes, nil) })
}

// NewContext is New, but where that fails with memory.ErrBusy it waits until the readers of the other exchanges have given back enough. It fails with ctx's error.
func NewContext(ctx context.Context, c Config) (*Exchange, error) {
	return build(c, func(m *memory.Pool, bytes int64) (*memory.Share, error) { return m.WaitShare(ctx, bytes, bytes, nil) })
}

// Split is New, but the guarantees are split off from those of a share of memory: a user of several exchanges, all of them or none, asks for the sum of their Guarantee at once and divides it, since others may take
// what is left when it has some. The budget is the pool of from, whatever c.Memory is. It fails with memory.ErrInsufficient if from has not so much to give.
func Split(from *memory.Share, c Config) (*Exchange, error) {
	c.Memory = from.Pool()
	return build(c, func(_ *memory.Pool, bytes int64) (*memory.Share, error) { return from.Split(bytes, bytes, nil) })
}

// build makes an exchange. Its guarantees are asked for together, by guarantee, and divided then: two constructions at the same time must not stand in each other's way with
// half of what they need.
func build(c Config, guarantee func(m *memory.Pool, bytes int64) (*memory.Share, error)) (*Exchange, error) {
	network, err := c.processes()
	if err != nil {
		return nil, err
	}
	plan, err := c.plan(network)
	if err != nil {
		return nil, err
	}
	x := &Exchange{config: c, network: network, partitions: make([]*partition.Partition, c.Producers), memory: c.Memory, own: c.Memory == nil, contract: new(partition.Contract), gates: make(map[int]*gate.Gate)}
	x.config.Limits = c.Limits.WithDefaults()
	if x.own {
		if x.memory, err = memory.NewPool(plan.total); err != nil {
			return nil, err
		}
	}
	whole, err := guarantee(x.memory, plan.guaranteed())
	if err == nil {
		defer whole.Close()
		err = x.divide(whole, plan)
	}
	if err == nil {
		err = x.publish()
	}
	if err != nil {
		x.giveBack()
		if x.own {
			_ = x.memory.Close() // nothing was acquired
		}
		if plan.assembly > 0 {
			err = fmt.Errorf("and %d AssemblyBytes: %w", plan.assembly, err)
		}
		return nil, fmt.Errorf("exchange: %d × %d channels, %d GuaranteedBytes each, and %d LargeBytes: %w", c.Producers, c.Consumers, plan.guarantee, plan.large, err)
	}
	return x, nil
}

// divide makes the partitions, with the guarantee of whole.
func (x *Exchange) divide(whole *memory.Share, plan plan) (err error) {
	c := x.config
	if x.reserve, err = whole.SplitReserve(plan.large); err != nil {
		return err
	}
	x.area = buffer.NewArea(plan.large)
	pieces, err := whole.SplitReserve(plan.assembly)
	if err != nil {
		return err
	}
	x.assembly = &assembly{share: pieces, limit: plan.total}
	if err := x.receive(whole, plan); err != nil {
		return err
	}
	readers := c.Consumers
	if x.network.Processes != nil {
		readers = len(x.network.consumers)
	}
	each := plan.largeEach(int64(c.Limits.MaxRecordBytes), int64(readers))
	for i := range c.Producers {
		if !x.network.has(i) {
			continue
		}
		pool, err := buffer.SplitLocalPool(whole, buffer.Config{
			Bytes: plan.guarantee, MaxBytes: plan.most, EqualBytes: plan.most / plan.producers, Channels: c.Consumers, ChannelBytes: x.cap(plan),
			Area: x.area, AreaBytes: each,
		})
		if err != nil {
			return err
		}
		p, err := partition.New(partition.Config{
			Topology: selector.Topology{Producers: c.Producers, Consumers: c.Consumers, Producer: i, MaxParallelism: c.MaxParallelism},
			Pool:     pool, Contract: x.contract, MaxRecordBytes: c.Limits.MaxRecordBytes,
		})
		if err != nil {
			pool.Close()
			return err
		}
		x.partitions[i] = p
	}
	return nil
}

// local returns the partitions of this process, by producer.
func (x *Exchange) local() iter.Seq2[int, *partition.Partition] {
	return func(yield func(int, *partition.Partition) bool) {
		for i, p := range x.partitions {
			if p != nil && !yield(i, p) {
				return
			}
		}
	}
}

// giveBack gives all shares of memory back that writers have not given back yet.
func (x *Exchange) giveBack() {
	for _, p := range x.local() {
		p.Abandon(ErrClosed)
	}
	for _, p := range x.network.publications {
		p.Withdraw()
	}
	x.network.leave()
	if x.reserve != nil {
		x.reserve.Close()
	}
	if x.assembly != nil {
		x.assembly.share.Close()
	}
}

// cap returns the most that one channel may hold; 0: the default of the pool.
func (x *Exchange) cap(p plan) int64 {
	c := x.config.ChannelBytes
	if c == 0 && len(x.network.away) > 0 {
		// What is sent is held until it is acknowledged. Channels of processes that do not answer must leave something to the others.
		c = max(p.most/p.producers*3/4/int64(x.config.Consumers), 2*memory.MinBlock)
		c = min(c, underWay(int64(x.config.Consumers)))
	}
	return c
}

// underWay returns how much one of so many channels between processes may hold by default, at each end, in bytes. It has to be more than what a connection carries in the time until it is acknowledged, and is better not more than
// fits into the processor's cache with all the others. Over long distances ChannelBytes should be larger.
func underWay(channels int64) int64 { return max(64<<10, 4<<20/channels) }

// Partition returns the output of producer i, for the constructor of its writer. It panics if there is no such producer, or if it is in another process.
func (x *Exchange) Partition(i int) *partition.Partition {
	if i < 0 || i >= len(x.partitions) {
		panic(fmt.Sprintf("exchange: producer %d of %d", i, len(x.partitions)))
	}
	if x.partitions[i] == nil {
		panic(fmt.Sprintf("exchange: producer %d is in process %q, this is %q", i, x.network.Producers[i], x.network.Self))
	}
	return x.partitions[i]
}

// Gate returns a gate over all channels of one or more consumers, for the constructor of their reader. The channels of a consumer can be read through one gate
// only. It panics if there is no such consumer, if it is in another process, or if none is named.
func (x *Exchange) Gate(consumers ...int) *gate.Gate {
	if len(consumers) == 0 {
		panic("exchange: a gate of no consumers")
	}
	for _, i := range consumers {
		if i < 0 || i >= x.config.Consumers {
			panic(fmt.Sprintf("exchange: consumer %d of %d", i, x.config.Consumers))
		}
		if !x.network.isHere(i) {
			panic(fmt.Sprintf("exchange: consumer %d is in process %q, this is %q", i, x.network.Consumers[i], x.network.Self))
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(consumers) == 1 {
		if g := x.gates[consumers[0]]; g != nil {
			return g
		}
	}
	name := fmt.Sprintf("consumer %d", consumers[0])
	if len(consumers) > 1 {
		name = fmt.Sprintf("consumers %d", consumers)
	}
	var sources []gate.Source
	failed := x.canceled
	for _, j := range consumers {
		for i := range x.partitions {
			s, err := x.source(i, j)
			if err != nil && failed == nil {
				failed = err
			}
			sources = append(sources, s)
		}
	}
	g, err := gate.New(gate.Config{Sources: sources, Contract: x.contract, Limits: x.config.Limits, Name: name, Room: x.assembly})
	if err != nil {
		panic(err) // no channels: impossible with at least one producer and consumer
	}
	if len(consumers) == 1 {
		x.gates[consumers[0]] = g
	}
	x.all, x.names = append(x.all, g), append(x.names, name)
	if failed != nil {
		g.Cancel(failed)
	}
	return g
}

// Cancel makes every operation of every writer and reader fail with partition.ErrCanceled and cause. Writers and readers must still be closed; Close
// then frees the memory. Other processes are told when writers and readers are closed.
func (x *Exchange) Cancel(cause error) {
	for _, p := range x.local() {
		p.Cancel(cause)
	}
	x.cancelGates(cause)
}

// cancelGates ends all gates, also those that are asked for later.
func (x *Exchange) cancelGates(cause error) {
	err := partition.ErrCanceled
	if cause != nil {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	x.mu.Lock()
	if x.canceled == nil {
		x.canceled = err
	}
	x.mu.Unlock()
	for _, g := range x.snapshot() {
		g.Cancel(err)
	}
}

func (x *Exchange) snapshot() []*gate.Gate {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]*gate.Gate(nil), x.all...)
}

// Abort is Cancel and Close for whoever has lost writers or readers, for example in a constructor that has failed after it had claimed its end: it closes those that are not closed, with cause, and frees the memory.
// Nobody may use them at the same time, and to who does so later they are closed. Use it before Close. It returns the errors of Close. Other processes lose
// their channels with cause.
func (x *Exchange) Abort(cause error) error {
	x.Cancel(cause)
	for _, p := range x.local() {
		_ = p.Fail(cause) // what was dropped is dropped because of cause
	}
	for _, g := range x.snapshot() {
		g.Abort(cause)
	}
	now, cancel := context.WithCancel(context.Background())
	cancel() // there is nothing to wait for
	return x.Close(now)
}

// Close waits until every writer and every reader that was made is closed, and frees the memory. Producers that never got a writer fail their readers. If ctx ends first,
// the exchange is canceled, and the error names who was not closed.
//
// If the exchange is spread over processes it then waits until the others have everything in their memory that was written here. When it has returned nil the process may end. That others have it in memory does not mean that they have processed it. If ctx ends before, the error says who has not got everything, or is lost; the others lose their channels, and are told that.
// So after success ctx should have no deadline, or one that is longer than the slowest reader needs; after a failure it should be another one than that of the work, which may be over, with a deadline. Close of the Node waits for the same again, so it should get
// that one, too: a reader that has left before its producer has come tells it so for as long as transport.Config.GiveUp.
//
// The error also says which consumers were never read although there was something for them, and how much memory was not given back. A second
// call does the same again and can be used after the missing parts were closed; what was lost by then it says once more. Calls come one after the other.
func (x *Exchange) Close(ctx context.Context) error {
	for i, p := range x.local() {
		p.Abandon(fmt.Errorf("%w: producer %d never had a writer", ErrClosed, i))
	}
	var errs []error
	for i, p := range x.local() {
		if !done(ctx, p.Closed()) {
			errs = append(errs, fmt.Errorf("exchange: the writer of producer %d is not closed", i))
		}
	}
	for i, g := range x.snapshot() {
		// With all writers closed a reader that does not exist yet will not come in time to matter.
		if g.Claimed() && !done(ctx, g.Closed()) {
			errs = append(errs, fmt.Errorf("exchange: the reader of %s is not closed", x.name(i)))
		}
	}
	if len(errs) > 0 {
		x.Cancel(ErrClosed)
		return errors.Join(append([]error{buffer.Interrupted(ctx)}, errs...)...)
	}
	x.mu.Lock()
	canceled := x.canceled // nil: it was not
	x.mu.Unlock()
	x.cancelGates(ErrClosed)
	errs = append(errs, x.drain(ctx, canceled)...)
	for j := range x.config.Consumers {
		var bytes uint64
		for _, p := range x.local() {
			bytes += p.Discard(j)
		}
		if bytes > 0 {
			errs = append(errs, fmt.Errorf("exchange: consumer %d was never read: %d bytes dropped", j, bytes))
		}
	}
	if x.own {
		if err := x.memory.Close(); err != nil {
			errs = append(errs, fmt.Errorf("exchange: %w", err))
		}
	} else if held := x.held(); held > 0 {
		errs = append(errs, fmt.Errorf("exchange: %w: %d bytes", memory.ErrInUse, held))
	}
	x.reserve.Close()
	x.assembly.share.Close()
	return errors.Join(errs...)
}

// held returns how many bytes of blocks its partitions hold, and its readers for records that arrive in pieces.
func (x *Exchange) held() int64 {
	n := x.assembly.share.Used()
	for _, p := range x.local() {
		n += p.Usage().Used
	}
	return n
}

func (x *Exchange) name(i int) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.names[i]
}

// done waits for c, and looks at it once more when ctx is done.
func done(ctx context.Context, c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
	}
	select {
	case <-c:
		return true
	case <-ctx.Done():
		return false
	}
}

// Stats is a snapshot of an exchange.
type Stats struct {
	Writers []metrics.Writer // by producer; zero for producers without a writer, and in other processes
	Readers []metrics.Reader // of the gates, in the order in which they were asked for; zero without a reader
	Pool    metrics.Pool
	// Assembly is the memory for records that arrive in pieces. It is part of the budget, not of Pool.Used.
	Assembly Assembly
}

// Stats returns a snapshot.
func (x *Exchange) Stats() Stats {
	m := x.memory.Stats()
	s := Stats{Pool: metrics.Pool{Limit: m.Limit, Mapped: m.Mapped, Used: m.Used, Peak: m.Peak, Area: x.area.Bytes()}}
	s.Assembly = Assembly{Guaranteed: x.assembly.share.Min(), Used: x.assembly.share.Used(), Peak: x.assembly.peak.Load()}
	s.Writers = make([]metrics.Writer, len(x.partitions))
	for i, p := range x.local() {
		u := p.Usage()
		s.Pool.Guaranteed += u.Guarantee
		s.Pool.Share += u.Share
		s.Pool.Held += u.Used
		s.Pool.Large += u.Large
		s.Writers[i] = p.Stats()
	}
	for _, g := range x.snapshot() {
		s.Readers = append(s.Readers, g.Stats())
	}
	return s
}
