package exchange_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// lag is how long records of quiet channels have waited for, in records read between the moment when they became readable and that when they were read.
type lag struct {
	hot    []int   // of the hot channel, in rising order
	others int     // of all others, at most
	unread int     // records of one quiet channel that are left at the end, at most
	share  float64 // of the hot channel in all that was read
}

// skewed reads n records of many channels, all with one reader. One of them, the hot one, carries half of all records and all that it can hold: whenever there is room for a record it is there. Every
// other record goes to one of the other channels by chance, and is readable at once.
func skewed(tb testing.TB, producers, consumers, n int) lag {
	tb.Helper()
	x := newExchange(tb, exchange.Config{Producers: producers, Consumers: consumers})
	var writers []*writer.Writer[pair]
	for p := range producers {
		consumer := selector.Func(func(v *pair, _ int) int { return int(v.ID) / producers })
		w, err := writer.New(x.Partition(p), pairSerializer{}, writer.WithSelector(consumer), writer.FlushOnFull())
		if err != nil {
			tb.Fatal(err)
		}
		writers = append(writers, w)
	}
	all := make([]int, consumers)
	for j := range all {
		all[j] = j
	}
	r, err := gate.NewReader(x.Gate(all...), pairSerializer{})
	if err != nil {
		tb.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	channels := producers * consumers
	hot, read := 0, 0 // records so far
	unread := make([]int, channels)
	// A record says how many of the hot channel, and of all, were read when it was written.
	emit := func(channel int) bool {
		v := pair{ID: uint64(channel), Value: int64(hot)<<32 | int64(read)}
		full, err := writers[channel%producers].TryEmit(&v)
		if err != nil {
			tb.Fatal(err)
		}
		if full < 0 {
			unread[channel]++
		}
		return full < 0
	}
	var l lag
	for read < n {
		for emit(0) {
		}
		if quiet := 1 + rnd.IntN(channels-1); read%2 == 0 && emit(quiet) {
			if err := writers[quiet%producers].Flush(); err != nil {
				tb.Fatal(err)
			}
		}
		var v pair
		ok, _, err := r.TryNext(&v)
		if err != nil || !ok {
			tb.Fatalf("%v, %v although the hot channel is full", ok, err)
		}
		read++
		unread[v.ID]--
		if v.ID == 0 {
			hot++
			continue
		}
		behind := hot - int(v.Value>>32)
		l.hot = append(l.hot, behind)
		l.others = max(l.others, read-1-int(v.Value&(1<<32-1))-behind)
	}
	slices.Sort(l.hot)
	l.share, l.unread = float64(hot)/float64(read), slices.Max(unread[1:])
	for _, w := range writers {
		_ = w.Close()
	}
	_ = r.Close()
	mustClose(tb, x)
	return l
}

// shapes have a thousand channels: producers, and consumers of each.
var shapes = [][2]int{{1, 1000}, {10, 100}, {1000, 1}}

// TestFairnessSkewed: a record of a quiet channel waits for what is left of the hot channel's block and for one more, however much waits there, and for what the other channels got in that time.
func TestFairnessSkewed(t *testing.T) {
	for _, shape := range shapes {
		t.Run(fmt.Sprintf("producers=%d/consumers=%d", shape[0], shape[1]), func(t *testing.T) {
			l := skewed(t, shape[0], shape[1], 20_000)
			const block = memory.MaxBlock / 20 // records
			if len(l.hot) < 5000 || l.share < 0.4 {
				t.Fatalf("%d records of quiet channels, %v of all are of the hot one: the test does not test much", len(l.hot), l.share)
			}
			if most := l.hot[len(l.hot)-1]; most > 2*block || l.others > 2*block {
				t.Errorf("waited for %d records of the hot channel, and %d of others; a block has %d", most, l.others, block)
			}
		})
	}
}

// BenchmarkFairness reports how many records of the hot channel are read while a record of a quiet one waits (mean, 99 of 100, most), how many of all other channels (most), how many of one quiet channel are
// left at the end, and the part of the hot channel in all that is read. An operation is one record, written and read; most of its time goes into the flush of all channels of its writer.
func BenchmarkFairness(b *testing.B) {
	for _, shape := range shapes {
		b.Run(fmt.Sprintf("producers=%d/consumers=%d", shape[0], shape[1]), func(b *testing.B) {
			l := skewed(b, shape[0], shape[1], b.N)
			if len(l.hot) == 0 {
				return
			}
			sum := 0
			for _, n := range l.hot {
				sum += n
			}
			b.ReportMetric(float64(sum)/float64(len(l.hot)), "hot-mean")
			b.ReportMetric(float64(l.hot[len(l.hot)*99/100]), "hot-p99")
			b.ReportMetric(float64(l.hot[len(l.hot)-1]), "hot-max")
			b.ReportMetric(float64(l.others), "others-max")
			b.ReportMetric(float64(l.unread), "unread-max")
			b.ReportMetric(100*l.share, "%hot")
		})
	}
}
