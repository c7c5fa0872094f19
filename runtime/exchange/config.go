package exchange

import (
	"fmt"
	"math"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

// DefaultMemoryBytes is the budget of an exchange whose Config names none.
const DefaultMemoryBytes = 64 << 20

// Config configures an [Exchange]. It is copied.
type Config struct {
	// Producers and Consumers are the numbers of partitions and of channels in each. At least 1; zero with Processes, whose lists count.
	Producers, Consumers int
	// MaxParallelism is the number of key groups of writers with hash=flink: keys keep their group when the number of consumers changes, as long as this number stays.
	// From Consumers to 32768; zero means Flink's default for the number of consumers. Other writers do not use it.
	MaxParallelism int

	// Processes spreads the exchange over several processes. Nil: all of it is in this one. The budget is this process's own, for the producers and consumers that it has.
	Processes *Processes

	// Memory is the budget of several exchanges of one process together. Each exchange is guaranteed a part; what is guaranteed to nobody is dealt out among their producers,
	// and goes to the others when one is done. Close gives everything back and leaves the pool open. Nil: the exchange has a budget of its own.
	Memory *memory.Pool
	// MemoryBytes bounds the memory for records on their way, in bytes: LargeBytes of it for records too large for blocks, AssemblyBytes for records that arrive in pieces, the rest for
	// blocks, of which each producer is guaranteed a part and which the producers divide among them as long as they are at work. Zero means [DefaultMemoryBytes], or with Memory all of
	// it. Less than (Consumers + 1) KiB for each producer, and as much again or LargeBytes for large records, is refused; channels from other processes need 2 KiB each, beside EventBytes and AssemblyBytes.
	// The error says what would be enough.
	MemoryBytes int64
	// GuaranteedBytes is how much each producer can hold in blocks at any time, whatever the others do. Open blocks stay within it, so it bounds their
	// size; at least (Consumers + 1) KiB. Zero means what blocks of the size they grow to with traffic take, or less if that is more than a quarter of an equal part
	// of MemoryBytes, or with Memory more than an eighth of it for all producers together.
	GuaranteedBytes int64
	// LargeBytes is the room for records too large for blocks. It is set aside at construction, and bounds the size of every record that is written here. Zero means half of what AssemblyBytes and EventBytes leave of MemoryBytes;
	// with Memory a sixteenth of the pool, if that is not more; and 1 KiB in a process that has no producers. At least 1 KiB. It is one room for all producers of the process. Each has a part of it that others cannot take, whether their readers
	// read or not, if LargeBytes are at least 2 × Limits.MaxRecordBytes × producers × (consumers + 1), of this process.
	LargeBytes int64
	// AssemblyBytes is the room in which all readers of the exchange together put records together that arrive in pieces. It is set aside at construction, within MemoryBytes, rounded
	// down to a multiple of 1 KiB. A record takes it from its first piece to the call after the one that returns it, at most one and a half times its size. More than AssemblyBytes is
	// taken out of what is guaranteed to nobody and free at that moment, without waiting; if there is nothing the reader fails with gate.ErrAssembly. What is always enough is one and a half times the largest record, for each channel
	// that can be within a record at the same time. Records of other processes arrive in pieces, those of this one do not, unless another user of partition.Output than the writers of this module cuts them: zero
	// sets nothing aside if there are no channels from other processes; if there are it means a quarter of MemoryBytes, half of it in a process that has no producers, or with Memory a sixteenth of the pool.
	AssemblyBytes int64
	// EventBytes is the room for the events of each channel from another process: what they carry, and 192 bytes for each. It is set aside at construction, within MemoryBytes, for all of these channels. A channel whose producer sends a larger event fails, on both sides, with
	// partition.ErrEventTooLarge. Rounded down to a multiple of 1 KiB, from 1 KiB to 1 MiB; zero means an equal part of a sixteenth of MemoryBytes within these bounds. Channels in one process can have 1 MiB of events each, outside of MemoryBytes.
	EventBytes int64
	// ChannelBytes caps what one channel may hold, in bytes, so that a slow consumer does not take the memory of the others. Zero means 8 blocks of the size that
	// blocks grow to with traffic, or an equal part of 2 MiB if that is more; at least two blocks of the largest size are always granted. Less than zero is an error.
	// Channels between processes hold so much at each end, acknowledged or not; zero means an equal part of 4 MiB, but at least 64 KiB, and at most three quarters of the memory for blocks together. Where acknowledgements take long,
	// a channel carries at most this much in the time for one way and back.
	ChannelBytes int64
	// Limits bound records, when written and when read. Zero fields mean their defaults; see record.Limits.
	Limits record.Limits
}

// plan is how an exchange divides memory, in bytes.
type plan struct {
	producers int64 // that are in this process
	total     int64 // of a budget of its own
	large     int64 // for large records
	assembly  int64 // for records in pieces
	guarantee int64 // of each producer
	most      int64 // of each producer, and of what comes from other processes
	receive   int64 // guaranteed to channels from other processes, together
	exclusive int   // of that, to each
	incoming  int64 // channels from other processes
	events    int64 // for the events of each of them
	need      int64 // for blocks, at least
	blocks    int64 // what is left for them
}

// sharedPart is the part of a shared pool that the guarantees of one exchange take by default, at most.
const sharedPart = 8

// most is the largest number of producers, and of consumers: far more than anybody can wire, and small enough for all products to fit.
const most = 1 << 24

// largeEach returns what of the room for large records is guaranteed to each producer, for records of at most so many bytes: one beside those that each reader of this process may have in hand, if that is for all of them no more than a half of it;
// otherwise nothing, and what stopped readers of one producer have keeps the others from large records.
func (p *plan) largeEach(record, readers int64) int64 {
	each := times(plus(record, buffer.FrameHeader), readers+1)
	if p.producers < 2 || each > p.large/2/p.producers {
		return 0
	}
	return each
}

// guaranteed returns all guarantees and what is set aside, together.
func (p *plan) guaranteed() int64 {
	return p.large + p.assembly + p.eventRoom() + p.receive + p.producers*p.guarantee
}

// eventRoom returns what is set aside for events from other processes, together.
func (p *plan) eventRoom() int64 { return p.incoming * p.events }

// plus and times return the largest number where the sum, or product, of two that are not negative is larger than that.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// Guarantee returns how much memory an exchange is guaranteed that is made of c, in bytes: what [New] asks of c.Memory. It fails as New does for a Config of which none can be made.
func (c Config) Guarantee() (int64, error) {
	n, err := c.processes()
	if err != nil {
		return 0, err
	}
	p, err := c.plan(n)
	if err != nil {
		return 0, err
	}
	return p.guaranteed(), nil
}

// Of the memory of a process that receives from others, without LargeBytes and AssemblyBytes: records that arrive in pieces are put together in assemblyPart of it, or a part twice as large if it has no producers, which need room for
// large records; of shared memory it is a sixteenth, as for large records. Channels have standardExclusive bytes each if they all take no more than exclusivePart.
const (
	assemblyPart      = 4
	eventPart         = 16 // likewise, of all memory
	exclusivePart     = 8
	standardExclusive = 4 << 10
)

// plan divides memory.
func (c *Config) plan(n *network) (plan, error) {
	if c.Producers < 1 || c.Consumers < 1 {
		return plan{}, fmt.Errorf("exchange: %d producers and %d consumers: at least one of each is needed", c.Producers, c.Consumers)
	}
	if c.Producers > most || c.Consumers > most {
		return plan{}, fmt.Errorf("exchange: %d producers and %d consumers: at most %d of each are possible", c.Producers, c.Consumers, most)
	}
	for _, f := range []struct {
		name  string
		bytes int64
	}{{"MemoryBytes", c.MemoryBytes}, {"GuaranteedBytes", c.GuaranteedBytes}, {"LargeBytes", c.LargeBytes}, {"AssemblyBytes", c.AssemblyBytes}, {"EventBytes", c.EventBytes}, {"ChannelBytes", c.ChannelBytes}} {
		if f.bytes < 0 {
			return plan{}, fmt.Errorf("exchange: %s of %d: no amount of memory can be negative", f.name, f.bytes)
		}
	}
	if err := (selector.Topology{Producers: c.Producers, Consumers: c.Consumers, MaxParallelism: c.MaxParallelism}).Validate(); err != nil {
		return plan{}, fmt.Errorf("exchange: %w", err)
	}
	if c.EventBytes != 0 && (c.EventBytes < memory.MinBlock || c.EventBytes > partition.MaxEventBytes) {
		return plan{}, fmt.Errorf("exchange: EventBytes of %d, it must be from %d to %d", c.EventBytes, memory.MinBlock, partition.MaxEventBytes)
	}
	producers, incoming := int64(n.producers(c)), n.incoming()
	p := plan{producers: producers, incoming: incoming, total: c.MemoryBytes, guarantee: c.GuaranteedBytes}
	least := int64(c.Consumers+1) * memory.MinBlock
	if p.guarantee != 0 && p.guarantee < least {
		return plan{}, fmt.Errorf("exchange: %w: %d channels need %d bytes, %d are to be guaranteed", memory.ErrInsufficient, c.Consumers, least, p.guarantee)
	}
	if c.Memory != nil {
		if limit := c.Memory.Stats().Limit; p.total == 0 || p.total > limit {
			p.total = limit
		}
	} else if p.total == 0 {
		p.total = DefaultMemoryBytes
	}
	p.need = plus(times(producers, max(least, p.guarantee)), times(incoming, 2*memory.MinBlock))
	c.setAside(&p)
	if p.assembly > p.total {
		return plan{}, fmt.Errorf("exchange: %w: %d AssemblyBytes of a budget of %d", memory.ErrInsufficient, p.assembly, p.total)
	}
	if p.large == 0 && incoming == 0 && c.LargeBytes == 0 {
		return plan{}, fmt.Errorf("exchange: %w: MemoryBytes of %d leave less than %d for large records; %d would be enough", memory.ErrInsufficient, p.total, memory.MinBlock, c.enough(p))
	}
	if p.large == 0 && (incoming == 0 || c.LargeBytes > 0) {
		return plan{}, fmt.Errorf("exchange: %w: room for large records needs %d bytes, MemoryBytes of %d and LargeBytes of %d leave less", memory.ErrInsufficient, memory.MinBlock,
			c.MemoryBytes, c.LargeBytes)
	}
	if p.blocks < p.need {
		others := fmt.Sprintf("%d of which are LargeBytes", p.large)
		if p.assembly > 0 {
			others += fmt.Sprintf(" and %d AssemblyBytes", p.assembly)
		}
		if p.events > 0 {
			others += fmt.Sprintf(" and %d for events", p.eventRoom())
		}
		return plan{}, fmt.Errorf("exchange: %w: %d × %d channels"+from(incoming)+" need %d bytes for blocks and have %d of %d, %s; MemoryBytes of %d would be enough",
			memory.ErrInsufficient, producers, c.Consumers, p.need, p.blocks, p.total, others, c.enough(p))
	}
	blocks := p.blocks
	p.most = blocks
	if incoming > 0 {
		spare := blocks - producers*max(least, p.guarantee) // the rest is what its own producers need
		p.exclusive = int(min(standardExclusive, max(memory.MinBlock, min(blocks/exclusivePart/incoming, spare/incoming-memory.MinBlock)&^(memory.MinBlock-1))))
		room := blocks / 2
		if c.Memory != nil {
			room = p.total / sharedPart
		}
		room = min(room, spare)
		// Beside its own part, one channel can always get a block of the largest size.
		p.receive = min(max(incoming*(int64(p.exclusive)+memory.MinBlock), incoming*int64(p.exclusive)+memory.MaxBlock), max(incoming*2*memory.MinBlock, room)) &^ (memory.MinBlock - 1)
		blocks -= p.receive
	}
	p.guarantee &^= memory.MinBlock - 1
	if p.guarantee == 0 {
		bound := blocks / max(producers, 1) / 4
		if c.Memory != nil {
			bound = p.total / sharedPart / max(producers, 1)
		}
		p.guarantee = max(least, min(int64(c.Consumers)*memory.MaxBlock+memory.MinBlock, bound)&^(memory.MinBlock-1))
	}
	return p, nil
}

// setAside divides p.total into what is set aside and what is left for blocks. A p.large of 0 says that it does not go, and so do AssemblyBytes that are more than p.total.
func (c *Config) setAside(p *plan) {
	p.assembly, p.events, p.large = c.AssemblyBytes, 0, c.LargeBytes
	if p.incoming > 0 {
		if p.assembly == 0 { // records arrive in pieces
			p.assembly = p.total / assemblyPart
			switch {
			case c.Memory != nil:
				p.assembly = c.Memory.Stats().Limit / 16
			case p.producers == 0:
				p.assembly *= 2
			}
		}
		if p.events = c.EventBytes; p.events == 0 {
			p.events = max(min(p.total/eventPart/p.incoming, partition.MaxEventBytes), memory.MinBlock)
		}
	}
	p.assembly &^= memory.MinBlock - 1
	p.events &^= memory.MinBlock - 1
	rest := max(p.total-plus(p.assembly, times(p.incoming, p.events)), 0)
	if p.large == 0 {
		switch {
		case p.producers == 0: // nobody writes
			p.large = memory.MinBlock
		case c.Memory != nil:
			p.large = max(min(c.Memory.Stats().Limit/16, rest/2), memory.MinBlock)
		default:
			p.large = rest - rest/2&^(memory.MinBlock-1)
		}
	}
	p.large &^= memory.MinBlock - 1
	p.blocks = (rest - min(rest, p.large)) &^ (memory.MinBlock - 1)
}

// enough returns the least MemoryBytes, a multiple of [memory.MinBlock], that leave what the blocks need; the largest number there is if none do.
func (c *Config) enough(p plan) int64 {
	fits := func(blocks int64) bool {
		q := p
		q.total = times(blocks, memory.MinBlock)
		c.setAside(&q)
		return q.blocks >= q.need
	}
	most := int64(1)
	for !fits(most) {
		if most > math.MaxInt64/memory.MinBlock/2 {
			return math.MaxInt64
		}
		most *= 2
	}
	least := most / 2 // does not fit
	for most-least > 1 {
		if middle := least + (most-least)/2; fits(middle) {
			most = middle
		} else {
			least = middle
		}
	}
	return most * memory.MinBlock
}

// from says in errors how many channels come from other processes.
func from(incoming int64) string {
	if incoming == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d from other processes", incoming)
}
