package task_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// click is a record with an event time, in seconds. With generated code, //rwgen:writer ByPage key=Page eventtime=At:s makes a writer that sends watermarks by itself.
type click struct {
	Page string
	At   int64
}

// window is how often a page was clicked on in a minute.
type window struct {
	Page   string
	Minute int64
	Clicks int
}

// Clicks of two sources are counted by page and minute. A window is closed, and written, when the watermark says that no click of its minute follows from either source; by then those of later minutes may have come.
// The stage behind learns the same: all windows up to the watermark are there.
func ExampleInstance_OnWatermark() {
	clicks, err := record.Reflect[click]()
	if err != nil {
		fmt.Println(err)
		return
	}
	windows, err := record.Reflect[window]()
	if err != nil {
		fmt.Println(err)
		return
	}
	byPage := func(int) []writer.Option {
		return []writer.Option{writer.WithSelector(selector.Key(func(c *click) uint64 { return selector.HashString(c.Page) }))}
	}

	g := task.NewGraph()
	source, count, sink := g.Stage("source", 2), g.Stage("count", 2), g.Stage("sink", 1)
	clicked := task.Connect(source, count, task.WriterOf(clicks), task.ReaderOf(clicks), task.WithEachWriter(byPage))
	counted := task.Connect(count, sink, task.WriterOf(windows), task.ReaderOf(windows))

	source.Do(func(ctx context.Context, in *task.Instance) error {
		out := clicked.Writer(in)
		for at := int64(in.Index()); at < 150; at += 10 {
			if err := out.Emit(ctx, &click{[]string{"/", "/help"}[at/10%2], at}); err != nil {
				return err
			}
			if err := out.Watermark(time.Unix(at, 0)); err != nil { // what eventtime= does
				return err
			}
		}
		return nil
	})
	count.Do(func(ctx context.Context, in *task.Instance) error {
		out := counted.Writer(in)
		open := make(map[window]int) // a window without its clicks, and these
		in.OnWatermark(func(w time.Time) error {
			for v, n := range open {
				if end := time.Unix(60*(v.Minute+1), 0); w.Before(end.Add(-time.Microsecond)) {
					continue // a click of that minute may follow
				}
				delete(open, v)
				v.Clicks = n
				if err := out.Emit(ctx, &v); err != nil { // it comes before w
					return err
				}
			}
			return nil
		})
		// All inputs end with the end of time, which closes the windows that are left.
		return in.Read(ctx, clicked.Each(func(c *click) error {
			open[window{Page: c.Page, Minute: c.At / 60}]++
			return nil
		}))
	})
	lines := make(map[string]bool)
	sink.Do(func(ctx context.Context, in *task.Instance) error {
		var known time.Time
		in.OnWatermark(func(w time.Time) error { known = w; return nil })
		return in.Read(ctx, counted.Each(func(v *window) error {
			if last := time.Unix(60*v.Minute, 0); !known.Before(last.Add(time.Minute)) && !known.Equal(eventtime.Time(eventtime.End)) {
				return fmt.Errorf("a window of minute %d is behind %v", v.Minute, known)
			}
			lines[fmt.Sprintf("minute %d, %s: %d", v.Minute, v.Page, v.Clicks)] = true
			return nil
		}))
	})
	if err := g.Run(context.Background(), task.Config{}); err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		fmt.Println(line)
	}
	// Output:
	// minute 0, /: 6
	// minute 0, /help: 6
	// minute 1, /: 6
	// minute 1, /help: 6
	// minute 2, /: 4
	// minute 2, /help: 2
}
