package avro

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/rwgen/rwgen/gen/ir"
)

// nativeDefault returns the default of a field in the form of the native format, where it has one: for booleans, numbers, strings and enums. The zero value needs none.
func nativeDefault(f *field, typ *ir.Avro) (text string, ok bool) {
	v := f.fallback
	if v == nil {
		return "", false
	}
	switch t := typ.Type; {
	case typ.Kind == ir.AvroEnum:
		i := slices.Index(typ.Symbols, v.text)
		return strconv.Itoa(i), i > 0
	case t.Kind == ir.Bool:
		return v.text, v.text == "true"
	case t.Kind == ir.Int32, t.Kind == ir.Int64:
		n, err := strconv.ParseInt(v.text, 10, 64)
		unit := map[string]int64{"time-millis": int64(time.Millisecond), "time-micros": int64(time.Microsecond)}[typ.Logical]
		if unit != 0 && n <= math.MaxInt64/unit && n >= math.MinInt64/unit {
			n *= unit
		} else if unit != 0 {
			return "", false
		}
		return strconv.FormatInt(n, 10), err == nil && n != 0
	case t.Kind == ir.Float32, t.Kind == ir.Float64:
		bits := map[ir.Kind]int{ir.Float32: 32, ir.Float64: 64}[t.Kind]
		x, err := strconv.ParseFloat(v.text, bits)
		return strconv.FormatFloat(x, 'g', -1, bits), err == nil && (x != 0 || math.Signbit(x))
	case t.Kind == ir.String:
		return v.text, v.text != ""
	}
	return "", false
}
