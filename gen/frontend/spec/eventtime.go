package spec

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
	"time"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// EventTime is what a writer is to make of event times, its field and function not yet looked up.
type EventTime struct {
	Given    bool
	Field    string
	Unit     ir.Unit
	At       token.Position // of eventtime=
	Way      ir.Watermark
	Bound    time.Duration
	Function string
	MarkAt   token.Position // of watermark=, if given
}

func unitNames() []string {
	return []string{ir.Seconds.String(), ir.Milliseconds.String(), ir.Microseconds.String(), ir.Nanoseconds.String()}
}

func watermarkNames() []string {
	return []string{ir.Monotonic.String(), ir.Bounded.String(), ir.Punctuated.String()}
}

// eventTime reads the value of eventtime=: a field, and for an integer what it counts.
func (p *parser) eventTime(w Word, value string) bool {
	t := &p.spec.EventTime
	name, unit, hasUnit := strings.Cut(value, ":")
	if name == "" {
		return p.fail(w.Pos, "eventtime=Field", "writer %s needs a field after eventtime=", p.spec.Name)
	}
	if hasUnit {
		i := slices.Index(unitNames(), unit)
		if i < 0 {
			hint := "eventtime=" + name + ":ms (or s, us, ns), and no unit for a time.Time"
			return p.fail(w.Pos, hint, "unknown unit %q of the event time of writer %s", unit, p.spec.Name)
		}
		t.Unit = ir.Seconds + ir.Unit(i)
	}
	t.Given, t.Field, t.At = true, name, w.Pos
	return true
}

// watermarkForms says how watermark= is written.
const watermarkForms = "watermark=monotonic (the default), watermark=bounded:5s or watermark=punctuated:Func"

// watermark reads the value of watermark=: a way, and what belongs to it.
func (p *parser) watermark(w Word, value string) bool {
	t := &p.spec.EventTime
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
		return p.fail(w.Pos, hint, "unknown watermark %q of writer %s", name, p.spec.Name)
	}
	t.Way, t.MarkAt = ir.Monotonic+ir.Watermark(i), w.Pos
	switch t.Way {
	case ir.Monotonic:
		if hasDetail {
			return p.fail(w.Pos, "watermark=monotonic", "watermark=monotonic of writer %s takes no value", p.spec.Name)
		}
	case ir.Bounded:
		return p.bound(w, detail)
	case ir.Punctuated:
		if t.Function = detail; !token.IsIdentifier(detail) {
			return p.fail(w.Pos, "watermark=punctuated:Func", "watermark=punctuated of writer %s needs the name of a function, and has %q", p.spec.Name, detail)
		}
	}
	return true
}

// bound reads how much later than others a record may come.
func (p *parser) bound(w Word, text string) bool {
	const hint = "watermark=bounded:5s (or 200ms, 1m30s, …)"
	d, err := time.ParseDuration(text)
	switch {
	case text == "":
		return p.fail(w.Pos, hint, "watermark=bounded of writer %s needs a duration: how much later than others a record may come", p.spec.Name)
	case err != nil:
		if strings.Trim(text, "0123456789") == "" {
			return p.fail(w.Pos, "watermark=bounded:"+text+"s", "the duration %q of writer %s has no unit", text, p.spec.Name)
		}
		return p.fail(w.Pos, hint, "%q of writer %s is no duration", text, p.spec.Name)
	case d < 0:
		return p.fail(w.Pos, "watermark=bounded:"+(-d).String(), "the duration %s of writer %s is negative", text, p.spec.Name)
	case d%time.Microsecond != 0:
		up := (d.Truncate(time.Microsecond) + time.Microsecond).String()
		return p.fail(w.Pos, "watermark=bounded:"+strings.ReplaceAll(up, "µ", "u"),
			"the duration %s of writer %s is not in whole microseconds, which watermarks count", text, p.spec.Name)
	}
	p.spec.EventTime.Bound = d
	return true
}

// eventTime looks up the field and the function of a writer's event time, nil if there is something wrong with them.
func (v Resolver) eventTime(r *ir.Record, w Writer) *ir.EventTime {
	t := w.EventTime
	report := v.reporter(w, t.At)
	path := v.path(r, asEventTime, t.Field, report)
	ok := path != nil && timeField(r, path, t, report)
	if t.Way == ir.Punctuated && v.Punctuation != nil {
		ok = v.Punctuation(r, t.Function, v.reporter(w, t.MarkAt)) && ok
	}
	if !ok {
		return nil
	}
	return &ir.EventTime{Field: path, Unit: t.Unit, Watermark: t.Way, Bound: t.Bound, Func: t.Function}
}

// timeField reports a field that is no event time, or whose unit is missing or too much.
func timeField(r *ir.Record, path ir.Path, spec EventTime, report Reporter) bool {
	where := r.Name + "." + path.String()
	t := path.Leaf().Type
	switch {
	case t == nil: // reported already
		return false
	case t.Kind == ir.Time && spec.Unit != ir.NoUnit:
		report(diag.Writer, "eventtime="+path.String(), "%s is a time.Time, which has no unit", where)
	case t.Kind == ir.Time:
		return true
	case t.Kind < ir.Int8 || t.Kind > ir.Uintptr || width(t.Kind) < 32:
		report(diag.Writer, "a time.Time, or an integer with its unit, such as eventtime=Field:ms",
			"%s cannot be an event time: it is neither a time.Time nor an integer of 32 or 64 bits", where)
	case spec.Unit == ir.NoUnit:
		report(diag.Writer, fmt.Sprintf("eventtime=%s:ms (or s, us, ns since the Unix epoch)", path), "%s is an integer, and needs a unit to be an event time", where)
	default:
		return true
	}
	return false
}

// width returns the number of bits of an integer.
func width(k ir.Kind) int {
	switch k {
	case ir.Int8, ir.Uint8:
		return 8
	case ir.Int16, ir.Uint16:
		return 16
	case ir.Int32, ir.Uint32:
		return 32
	}
	return 64
}
