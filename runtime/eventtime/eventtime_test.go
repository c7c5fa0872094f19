package eventtime_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/runtime/eventtime"
)

func TestMicros(t *testing.T) {
	for _, tt := range []struct {
		name string
		time time.Time
		want int64
	}{
		{"epoch", time.Unix(0, 0), 0},
		{"cut off", time.Unix(0, 1999), 1},
		{"cut off downwards before the epoch", time.Unix(0, -1), -1},
		{"a microsecond before the epoch", time.Unix(0, -1000), -1},
		{"the zero time", time.Time{}, -62135596800 * 1e6},
		{"far away", time.Unix(math.MaxInt64/2, 0), eventtime.End},
		{"far before", time.Unix(math.MinInt64/2, 0), eventtime.None},
		{"the end", eventtime.Time(eventtime.End), eventtime.End},
		{"none", eventtime.Time(eventtime.None), eventtime.None},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := eventtime.Micros(tt.time); got != tt.want {
				t.Errorf("Micros(%v) = %d, want %d", tt.time, got, tt.want)
			}
		})
	}
}

func TestTimeIsUTC(t *testing.T) {
	if got := eventtime.Time(1_500_000).String(); got != "1970-01-01 00:00:01.5 +0000 UTC" {
		t.Error(got)
	}
}

// generator is what Monotonic, Bounded and Punctuated have in common.
type generator interface {
	Observe(micros int64) (watermark int64, emit bool)
	Hurry()
}

// TestGenerators compares with the definition: all watermarks keep the promise that no record of their time or before follows, as long as the records keep theirs, and they are as high as that allows.
func TestGenerators(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delay := rapid.SampledFrom([]int64{0, 0, 1, 10, 1000, math.MaxInt64 / 2000}).Draw(t, "delay")
		g, most := generator(new(eventtime.Monotonic)), int64(0)
		if delay > 0 || rapid.Bool().Draw(t, "bounded") {
			b := eventtime.NewBounded(time.Duration(delay) * time.Microsecond)
			g, most = &b, delay
		}
		newest := rapid.SampledFrom([]int64{0, -1000, eventtime.None, 1e15, math.MaxInt64 - 100}).Draw(t, "start")
		first, silent, highest := true, 0, int64(eventtime.None)
		for range rapid.IntRange(1, 300).Draw(t, "records") {
			if step := rapid.Int64Range(0, 50).Draw(t, "step"); newest <= math.MaxInt64-step {
				newest += step
			}
			micros := newest
			if behind := min(most, rapid.Int64Range(0, 2*most+1).Draw(t, "behind")); !first && micros >= math.MinInt64+behind {
				micros -= behind
			}
			hurried := rapid.IntRange(0, 20).Draw(t, "hurry") == 0
			if hurried {
				g.Hurry()
			}
			w, emit := g.Observe(micros)
			highest = max(highest, micros)
			want := highest - most - 1
			if want > highest { // it does not fit
				want = eventtime.None
			}
			if w != want {
				t.Fatalf("the watermark is %d after a record of %d, the newest being %d, others %d behind at most; want %d", w, micros, highest, most, want)
			}
			if silent++; emit {
				silent = 0
			}
			if (hurried || first) && !emit || silent >= eventtime.Every {
				t.Fatalf("record %d after the last watermark, hurried %v: emit = %v", silent, hurried, emit)
			}
			first = false
		}
	})
}

func TestEvery(t *testing.T) {
	var g eventtime.Monotonic
	var emitted []int
	for i := range 3 * eventtime.Every {
		if _, emit := g.Observe(int64(i)); emit {
			emitted = append(emitted, i)
		}
	}
	if got, want := fmt.Sprint(emitted), fmt.Sprint([]int{0, eventtime.Every, 2 * eventtime.Every}); got != want {
		t.Errorf("watermarks with the records %s, want %s", got, want)
	}
}

func TestWatermarkOf(t *testing.T) {
	var m eventtime.Monotonic
	b := eventtime.NewBounded(1500 * time.Nanosecond)
	if m.Watermark() != eventtime.None || b.Watermark() != eventtime.None {
		t.Errorf("before the first record: %d, %d", m.Watermark(), b.Watermark())
	}
	m.Observe(10)
	b.Observe(10)
	if m.Watermark() != 9 || b.Watermark() != 7 {
		t.Errorf("after a record of 10: %d, %d; want 9 and 7", m.Watermark(), b.Watermark())
	}
}

func TestPunctuated(t *testing.T) {
	g := eventtime.NewPunctuated(func(micros int64) (int64, bool) { return micros, micros%10 == 0 })
	got := ""
	for _, micros := range []int64{-20, -15, 10, 10, 0, 11, 30} {
		g.Hurry()
		if w, emit := g.Observe(micros); emit {
			got += fmt.Sprint(w, " ")
		}
	}
	if want := "-20 10 30 "; got != want {
		t.Errorf("watermarks %s, want %s", got, want)
	}
	var zero eventtime.Punctuated
	if w, emit := zero.Observe(1); emit {
		t.Errorf("the zero generator says %d", w)
	}
}

func TestNegativeDelay(t *testing.T) {
	defer func() {
		if r := fmt.Sprint(recover()); r != "eventtime: records that are at most -1s out of order" {
			t.Error(r)
		}
	}()
	eventtime.NewBounded(-time.Second)
}
