package avro

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

func appendLong(b []byte, v int64) []byte { return binary.AppendVarint(b, v) }

// maxDefaults is how many values defaults of a schema may be compared with. Records within records whose fields have defaults, and unions of them, would be any number.
const maxDefaults = 1_000_000

// maxDefaultBytes is how many bytes a default may take.
const maxDefaultBytes = 64 << 20

// defaults writes the defaults of a schema.
type defaults struct {
	depth int
	count int
}

// append appends the bytes of a default, which is JSON as the specification has it: of a union a value of any of its types, bytes as a string of code points up to 255.
func (d *defaults) append(b []byte, s *schema, text json.RawMessage) ([]byte, error) {
	if d.depth++; d.depth > maxSchemaDepth+1 {
		d.depth--
		return nil, fmt.Errorf("a default of more than %d levels", maxSchemaDepth)
	}
	defer func() { d.depth-- }()
	if d.count++; d.count > maxDefaults || len(b) > maxDefaultBytes {
		return nil, fmt.Errorf("defaults of more than %d values, or %d bytes", maxDefaults, maxDefaultBytes)
	}
	bad := func() ([]byte, error) { return nil, fmt.Errorf("%.100s is no %s", text, s.describe()) }
	switch s.kind {
	case kindNull:
		if string(text) != "null" {
			return bad()
		}
		return b, nil
	case kindBoolean:
		switch string(text) {
		case "true":
			return append(b, 1), nil
		case "false":
			return append(b, 0), nil
		}
		return bad()
	case kindInt, kindLong:
		var n int64
		if json.Unmarshal(text, &n) != nil || string(text) == "null" || s.kind == kindInt && int64(int32(n)) != n {
			return bad()
		}
		return appendLong(b, n), nil
	case kindFloat, kindDouble:
		var x float64
		if json.Unmarshal(text, &x) != nil || string(text) == "null" {
			return bad()
		}
		if s.kind == kindFloat {
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x))), nil
		}
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(x)), nil
	case kindString, kindBytes, kindFixed, kindEnum:
		var x string
		if json.Unmarshal(text, &x) != nil || string(text) == "null" {
			return bad()
		}
		return appendText(b, s, x, bad)
	case kindUnion:
		for i, branch := range s.branches {
			if out, err := d.append(appendLong(b, int64(i)), branch, text); err == nil {
				return out, nil
			}
		}
		return bad()
	case kindArray:
		var items []json.RawMessage
		if json.Unmarshal(text, &items) != nil || items == nil {
			return bad()
		}
		if len(items) > 0 {
			b = appendLong(b, int64(len(items)))
		}
		for _, item := range items {
			var err error
			if b, err = d.append(b, s.elem, item); err != nil {
				return nil, err
			}
		}
		return append(b, 0), nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return bad()
	}
	return d.members(b, s, members)
}

// appendText appends the default of a type whose defaults are strings.
func appendText(b []byte, s *schema, x string, bad func() ([]byte, error)) ([]byte, error) {
	switch s.kind {
	case kindString:
		return append(appendLong(b, int64(len(x))), x...), nil
	case kindEnum:
		i := slices.Index(s.symbols, x)
		if i < 0 {
			return bad()
		}
		return appendLong(b, int64(i)), nil
	}
	var p []byte
	for _, r := range x {
		if r > 0xff {
			return bad()
		}
		p = append(p, byte(r))
	}
	if s.kind == kindFixed {
		if len(p) != s.size {
			return bad()
		}
		return append(b, p...), nil
	}
	return append(appendLong(b, int64(len(p))), p...), nil
}

// members appends the default of a map or a record.
func (d *defaults) members(b []byte, s *schema, members map[string]json.RawMessage) (out []byte, err error) {
	if s.kind == kindMap {
		keys := make([]string, 0, len(members))
		for key := range members {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		if len(keys) > 0 {
			b = appendLong(b, int64(len(keys)))
		}
		for _, key := range keys {
			b = append(appendLong(b, int64(len(key))), key...)
			if b, err = d.append(b, s.elem, members[key]); err != nil {
				return nil, err
			}
		}
		return append(b, 0), nil
	}
	for _, f := range s.fields {
		text, ok := members[f.name]
		if !ok {
			text = f.fallback
		}
		if text == nil {
			return nil, fmt.Errorf("a default of %s without its field %s", s.describe(), f.name)
		}
		if b, err = d.append(b, f.typ, text); err != nil {
			return nil, err
		}
	}
	return b, nil
}
