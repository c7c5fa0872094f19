package avro

import (
	"math/big"

	"github.com/rwgen/rwgen/gen/ir"
)

// logicalTypes says of which types a logical type is.
var logicalTypes = map[string][]ir.AvroKind{
	"decimal":                {ir.AvroBytes, ir.AvroFixed},
	"big-decimal":            {ir.AvroBytes},
	"uuid":                   {ir.AvroString, ir.AvroFixed},
	"date":                   {ir.AvroInt},
	"time-millis":            {ir.AvroInt},
	"time-micros":            {ir.AvroLong},
	"timestamp-millis":       {ir.AvroLong},
	"timestamp-micros":       {ir.AvroLong},
	"timestamp-nanos":        {ir.AvroLong},
	"local-timestamp-millis": {ir.AvroLong},
	"local-timestamp-micros": {ir.AvroLong},
	"local-timestamp-nanos":  {ir.AvroLong},
	"duration":               {ir.AvroFixed},
}

// logical reads the logical type of a type. As the specification asks for, one that is unknown, or stands at a type where it may not, is ignored. A decimal whose numbers make
// no sense is reported: it was meant to be one.
func (r *reader) logical(v *value, kind ir.AvroKind, size int) logical {
	l := v.get("logicalType")
	if l == nil || l.kind != stringValue {
		return logical{}
	}
	ok := false
	for _, k := range logicalTypes[l.text] {
		ok = ok || k == kind
	}
	switch {
	case !ok, l.text == "uuid" && kind == ir.AvroFixed && size != 16, l.text == "duration" && size != 12:
		return logical{}
	case l.text == "decimal":
		return r.decimal(v, kind, size)
	}
	return logical{name: l.text}
}

func (r *reader) decimal(v *value, kind ir.AvroKind, size int) logical {
	p, s := v.get("precision"), v.get("scale")
	precision, ok := number(p)
	if p == nil {
		r.fail(v.pos(), `"precision": 10, or another number of digits`, "a decimal without a precision")
		return logical{}
	}
	if !ok || precision == 0 {
		r.fail(p.pos(), "a number of digits", "the precision of a decimal is a whole number from 1 on")
		return logical{}
	}
	if kind == ir.AvroFixed {
		if most := digits(size); precision > most {
			r.fail(p.pos(), "a larger fixed, or bytes", "a fixed of %d bytes holds %d digits, not %d", size, most, precision)
			return logical{}
		}
	}
	scale, ok := 0, true
	if s != nil {
		scale, ok = number(s)
	}
	if !ok || scale > precision {
		r.fail(s.pos(), "a number of digits behind the point", "the scale of a decimal is a whole number from 0 to its precision, %d", precision)
		return logical{}
	}
	return logical{name: "decimal", precision: precision, scale: scale}
}

// digits returns how many decimal digits a signed integer of so many bytes holds whatever they are.
func digits(size int) int {
	const most = 4096 // bytes; larger numbers need not be written out
	if size > most {
		return int(float64(size) * 8 * 0.30102)
	}
	if size == 0 {
		return 0
	}
	largest := new(big.Int).Lsh(big.NewInt(1), uint(8*size-1))
	return len(largest.Sub(largest, big.NewInt(1)).String()) - 1
}
