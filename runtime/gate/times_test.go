package gate_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/gate"
)

// truth is the model of event time at a gate: it looks at all channels every time.
type truth struct {
	channels []state
	told     int64 // watermark
	idle     bool
	lines    []string
}

type state struct {
	watermark   int64
	idle, ended bool
}

func newTruth(channels int) *truth {
	return &truth{channels: slices.Repeat([]state{{watermark: eventtime.None}}, channels), told: eventtime.None}
}

// least returns the least watermark of the active channels, and whether all that have not ended are idle.
func (m *truth) least() (w int64, idle bool) {
	w, active, left := math.MaxInt64, 0, 0
	for _, c := range m.channels {
		if c.ended {
			continue
		}
		left++
		if !c.idle {
			active++
			w = min(w, c.watermark)
		}
	}
	return w, active == 0 && left > 0
}

// look tells what has changed.
func (m *truth) look() {
	w, idle := m.least()
	if m.idle && !idle {
		m.lines = append(m.lines, "idle false")
	}
	if !idle && w > m.told {
		m.told = w
		if w == eventtime.End {
			m.lines = append(m.lines, "watermark end")
		} else {
			m.lines = append(m.lines, fmt.Sprint("watermark ", w))
		}
	}
	if idle && !m.idle {
		m.lines = append(m.lines, "idle true")
	}
	m.idle = idle
}

func (m *truth) take() string {
	lines := m.lines
	m.lines = nil
	return strings.Join(lines, "; ")
}

// TestTimesModel: over random schedules of watermarks, idleness, records and ends, the handlers are told what the model says, in its order, if the reader follows each step. A reader that is behind
// hears less, since only the newest watermark travels, and may hear of the channels in another order; when it has caught up it knows what is true now.
func TestTimesModel(t *testing.T) {
	for _, lazy := range []bool{false, true} {
		t.Run(fmt.Sprintf("lazy %v", lazy), func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) { checkTimes(t, r, lazy) })
		})
	}
}

func checkTimes(t *testing.T, r *rapid.T, lazy bool) {
	producers := rapid.SampledFrom([]int{1, 2, 3, 5, 8, 9}).Draw(r, "producers")
	n := newNet(t, producers, 1)
	defer n.close()
	m, j := newTruth(producers), &journal{t: t}
	j.open(n.gate(gate.Config{}, 0))
	defer func() { _ = j.reader.Close() }()
	records := make([]int, producers)
	for range rapid.IntRange(1, 60).Draw(r, "steps") {
		i := rapid.IntRange(0, producers-1).Draw(r, "producer")
		f, c := n.feeds[i], &m.channels[i]
		if c.ended {
			continue
		}
		switch rapid.SampledFrom([]string{"watermark", "watermark", "watermark", "idle", "active", "record", "end"}).Draw(r, "step") {
		case "watermark":
			w := rapid.OneOf(rapid.Int64Range(0, 30), rapid.Just(int64(eventtime.End)), rapid.Just(int64(eventtime.None))).Draw(r, "watermark")
			must(t, f.part.Watermark(w))
			if w > c.watermark {
				c.watermark, c.idle = w, false
			}
		case "idle":
			must(t, f.part.Idle(true))
			c.idle = true
		case "active":
			must(t, f.part.Idle(false))
			c.idle = false
		case "record":
			f.send(0, frame([]byte{1}), 100)
			was := c.idle
			c.idle = false
			m.look()
			m.lines = append(m.lines, fmt.Sprintf("record %q {%d 0 %d}", "\x01", i, records[i]))
			records[i]++
			c.idle = was
		case "end":
			must(t, f.part.Finish())
			c.ended = true
		}
		m.look()
		if !c.ended {
			must(t, f.part.Flush())
		}
		if lazy && rapid.IntRange(0, 3).Draw(r, "read") > 0 {
			continue
		}
		got, want := j.read(), m.take()
		got = strings.TrimSuffix(strings.TrimSuffix(got, "end"), "; ") // of the reader
		if strings.HasSuffix(got, "watermark ") || got == "watermark " {
			got += "end"
		}
		if !lazy && got != want {
			r.Fatalf("got  %s\nwant %s", got, want)
		}
		w, ok := j.reader.Watermark()
		micros := eventtime.Micros(w)
		if !ok {
			micros = eventtime.None
		}
		least, idle := m.least()
		if idle {
			least = eventtime.None
		}
		if micros < least || !lazy && micros > m.told || j.reader.Core().Idle() != idle {
			r.Fatalf("the watermark is %d, idle %v; want %d at least, %v", micros, j.reader.Core().Idle(), least, idle)
		}
	}
}
