package gosrc

import (
	"go/token"
	"slices"
	"strings"
	"time"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// timeSpec is what a writer is to make of event times, its field and function not yet looked up.
type timeSpec struct {
	given    bool
	field    string
	unit     ir.Unit
	at       token.Position // of eventtime=
	way      ir.Watermark
	bound    time.Duration
	function string
	markAt   token.Position // of watermark=, if given
}

func unitNames() []string {
	return []string{ir.Seconds.String(), ir.Milliseconds.String(), ir.Microseconds.String(), ir.Nanoseconds.String()}
}

func watermarkNames() []string {
	return []string{ir.Monotonic.String(), ir.Bounded.String(), ir.Punctuated.String()}
}

// eventTime reads the value of eventtime=: a field, and for an integer what it counts.
func (p *specParser) eventTime(w word, value string) bool {
	t := &p.spec.eventTime
	name, unit, hasUnit := strings.Cut(value, ":")
	if name == "" {
		return p.fail(w.pos, "eventtime=Field", "writer %s needs a field after eventtime=", p.spec.name)
	}
	if hasUnit {
		i := slices.Index(unitNames(), unit)
		if i < 0 {
			hint := "eventtime=" + name + ":ms (or s, us, ns), and no unit for a time.Time"
			return p.fail(w.pos, hint, "unknown unit %q of the event time of writer %s", unit, p.spec.name)
		}
		t.unit = ir.Seconds + ir.Unit(i)
	}
	t.given, t.field, t.at = true, name, w.pos
	return true
}

// watermarkForms says how watermark= is written.
const watermarkForms = "watermark=monotonic (the default), watermark=bounded:5s or watermark=punctuated:Func"

// watermark reads the value of watermark=: a way, and what belongs to it.
func (p *specParser) watermark(w word, value string) bool {
	t := &p.spec.eventTime
	name, detail, hasDetail := strings.Cut(value, ":")
	i := slices.Index(watermarkNames(), name)
	if i < 0 {
		hint := watermarkForms
		if near := diag.Nearest(name, watermarkNames()); near != "" && name != "" {
			hint = "watermark=" + near
			if hasDetail {
				hint += ":" + detail
			}
		}
		return p.fail(w.pos, hint, "unknown watermark %q of writer %s", name, p.spec.name)
	}
	t.way, t.markAt = ir.Monotonic+ir.Watermark(i), w.pos
	switch t.way {
	case ir.Monotonic:
		if hasDetail {
			return p.fail(w.pos, "watermark=monotonic", "watermark=monotonic of writer %s takes no value", p.spec.name)
		}
	case ir.Bounded:
		return p.bound(w, detail)
	case ir.Punctuated:
		if t.function = detail; !token.IsIdentifier(detail) {
			return p.fail(w.pos, "watermark=punctuated:Func", "watermark=punctuated of writer %s needs the name of a function, and has %q", p.spec.name, detail)
		}
	}
	return true
}

// bound reads how much later than others a record may come.
func (p *specParser) bound(w word, text string) bool {
	const hint = "watermark=bounded:5s (or 200ms, 1m30s, …)"
	d, err := time.ParseDuration(text)
	switch {
	case text == "":
		return p.fail(w.pos, hint, "watermark=bounded of writer %s needs a duration: how much later than others a record may come", p.spec.name)
	case err != nil:
		if strings.Trim(text, "0123456789") == "" {
			return p.fail(w.pos, "watermark=bounded:"+text+"s", "the duration %q of writer %s has no unit", text, p.spec.name)
		}
		return p.fail(w.pos, hint, "%q of writer %s is no duration", text, p.spec.name)
	case d < 0:
		return p.fail(w.pos, "watermark=bounded:"+(-d).String(), "the duration %s of writer %s is negative", text, p.spec.name)
	case d%time.Microsecond != 0:
		up := (d.Truncate(time.Microsecond) + time.Microsecond).String()
		return p.fail(w.pos, "watermark=bounded:"+strings.ReplaceAll(up, "µ", "u"),
			"the duration %s of writer %s is not in whole microseconds, which watermarks count", text, p.spec.name)
	}
	p.spec.eventTime.bound = d
	return true
}
