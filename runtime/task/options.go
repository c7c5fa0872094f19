package task

import (
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

// EdgeOption configures an edge.
type EdgeOption interface{ apply(*edgeOptions) }

type edgeOptions struct {
	name     string
	exchange exchange.Config
	writer   []writer.Option
	each     []func(instance int) []writer.Option
	reader   []gate.Option
	readers  []func(instance int) []gate.Option
	ownTimes bool
}

type edgeOption func(*edgeOptions)

func (f edgeOption) apply(o *edgeOptions) { f(o) }

// WithName names the edge, and its writers and readers in metrics. Two edges between the same stages need names.
func WithName(name string) EdgeOption { return edgeOption(func(o *edgeOptions) { o.name = name }) }

// WithExchange sets what is particular to the exchange of the edge, for example ChannelBytes, LargeBytes (which bounds the size of records), GuaranteedBytes, MaxParallelism and Limits. Producers, Consumers, Memory and
// MemoryBytes are set by the graph, from its [Config], whatever c says; Processes is refused, as a graph is in one process.
func WithExchange(c exchange.Config) EdgeOption {
	return edgeOption(func(o *edgeOptions) { o.exchange = c })
}

// WithWriter adds options for all writers of the edge.
func WithWriter(opts ...writer.Option) EdgeOption {
	return edgeOption(func(o *edgeOptions) { o.writer = append(o.writer, opts...) })
}

// WithEachWriter adds options for each writer by itself, for example a selector, of which each writer needs its own. f is called once for each instance.
func WithEachWriter(f func(instance int) []writer.Option) EdgeOption {
	return edgeOption(func(o *edgeOptions) { o.each = append(o.each, f) })
}

// WithReader adds options for all readers of the edge. For user events use [OnEvent]: handlers among opts must not write, as what they write may stay unflushed. Handlers of watermarks, idleness and the end of data are set by the graph, which calls those of the instance; those among opts do not count.
func WithReader(opts ...gate.Option) EdgeOption {
	return edgeOption(func(o *edgeOptions) { o.reader = append(o.reader, opts...) })
}

// WithEachReader adds options for each reader by itself, for example its name in metrics. f is called once for each instance.
func WithEachReader(f func(instance int) []gate.Option) EdgeOption {
	return edgeOption(func(o *edgeOptions) { o.readers = append(o.readers, f) })
}

// WithOwnWatermarks leaves watermarks and idleness of the edge to its writers, that is to what the user calls, or to eventtime= of a generated writer. It changes nothing for stages without inputs, which always do.
//
// Without it they are passed on from the inputs of the stage that writes, all of them combined, and eventtime= of its writers is switched off (writer.Core.IgnoreEventTimes): a stage that merges inputs writes their
// records in any order, so that a watermark made of some of them would be wrong for the rest, and records that are not late would be taken for late. Put eventtime= on the writers of the sources.
//
// With it, the stage answers for the order itself. It is for a stage whose inputs know nothing of event time, because it is what finds it in the records, and that writes them in order, or nearly so with
// watermark=bounded; and for one that writes records with event times which the watermarks of its inputs have left behind.
func WithOwnWatermarks() EdgeOption {
	return edgeOption(func(o *edgeOptions) { o.ownTimes = true })
}

// writerOptions returns the options of one writer. What the user says comes last, and counts.
func (o *edgeOptions) writerOptions(name string, instance int) []writer.Option {
	opts := append([]writer.Option{writer.WithName(name)}, o.writer...)
	for _, f := range o.each {
		opts = append(opts, f(instance)...)
	}
	return opts
}

func (o *edgeOptions) readerOptions(name string, instance int) []gate.Option {
	opts := append([]gate.Option{gate.WithName(name)}, o.reader...)
	for _, f := range o.readers {
		opts = append(opts, f(instance)...)
	}
	return opts
}
