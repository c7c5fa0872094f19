package task_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestRandomGraphs runs random graphs without circles, in which stages part and meet as they like, with the least memory, any flush policies, and stages that are slow now and then. No
// record may be lost or come twice, those of one instance come to another in order, and under synctest a program that stops is a failure.
func TestRandomGraphs(t *testing.T) {
	seeds := 150
	if testing.Short() {
		seeds = 25
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { randomGraph(t, rand.New(rand.NewPCG(uint64(seed), 0))) })
		})
	}
}

func randomGraph(t *testing.T, random *rand.Rand) {
	g := task.NewGraph()
	stages := make([]*task.Stage, 2+random.IntN(5))
	inputs, outputs := make([][]*edge[item], len(stages)), make([][]*edge[item], len(stages))
	for i := range stages {
		stages[i] = g.Stage(fmt.Sprintf("s%d", i), 1+random.IntN(3))
		for j := range i {
			if random.IntN(5) < 3 || j == i-1 && len(inputs[i]) == 0 {
				policy := []writer.Option{writer.FlushOnFull(), writer.FlushOnFull(), nil, writer.FlushEveryRecord(), writer.FlushAfter(time.Second)}[random.IntN(5)]
				e := connect[item](t, stages[j], stages[i], byID(), task.WithWriter(policy))
				inputs[i], outputs[j] = append(inputs[i], e), append(outputs[j], e)
			}
		}
	}
	// Each record that a stage reads goes to one of its edges, in turn, or ends. A source makes some.
	var made, ended atomic.Int64
	for i, s := range stages {
		in, out, slow, records := inputs[i], outputs[i], random.IntN(3) == 0, random.IntN(800)
		s.Do(func(ctx context.Context, self *task.Instance) error {
			next := make([]uint64, len(out))
			turn := 0
			send := func(text string) error {
				if len(out) == 0 {
					ended.Add(1)
					return nil
				}
				turn++
				k := turn % len(out)
				v := item{From: uint32(self.Index()), ID: next[k], Text: text}
				next[k]++
				return out[k].Writer(self).Emit(ctx, &v)
			}
			if len(in) == 0 {
				for range records {
					made.Add(1)
					if err := send("some text that is not very short"); err != nil {
						return err
					}
				}
				return nil
			}
			var all []task.Input
			for _, e := range in {
				last := make(map[uint32]uint64)
				all = append(all, e.Each(func(v *item) error {
					if v.ID < last[v.From] {
						return fmt.Errorf("%s: record %d of %d after record %d", e.Name(), v.ID, v.From, last[v.From]-1)
					}
					last[v.From] = v.ID + 1
					if slow && v.ID%50 == 0 {
						time.Sleep(time.Millisecond)
					}
					return send(v.Text)
				}))
			}
			return self.Read(ctx, all...)
		})
	}
	err := g.Run(t.Context(), task.Config{MemoryBytes: g.LeastMemory(), Quiet: time.Minute, OnStall: func(r task.Report) error {
		return fmt.Errorf("%v", r)
	}})
	if err != nil || made.Load() != ended.Load() {
		t.Errorf("%v; %d records were made, %d have ended", err, made.Load(), ended.Load())
	}
}
