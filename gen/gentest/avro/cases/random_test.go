package cases

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/avro"
)

// maker makes random values of a schema: their bytes, by the rules of the specification and nothing else, and what they mean.
type maker struct {
	rng   *rand.Rand
	names map[string]any // definitions by their full names
	wide  bool           // arrays and maps in several blocks, with and without their sizes, and maps of several entries
	depth int
}

func newMaker(t testing.TB, schema string, seed uint64) (*maker, any) {
	t.Helper()
	var root any
	d := json.NewDecoder(strings.NewReader(schema))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	return &maker{rng: rand.New(rand.NewPCG(seed, 7)), names: map[string]any{}}, root
}

// What values mean: nil, bool, int64, float32, float64, string, []byte, time.Time, time.Duration, *big.Rat, avro.UUID, avro.Duration, and
type (
	symbol struct {
		index int
		name  string
	}
	array  []any
	dict   map[string]any
	fields struct {
		names  []string
		values []any
	}
)

func (m *maker) value(b []byte, schema any) ([]byte, any) {
	switch s := schema.(type) {
	case []any:
		return m.union(b, s)
	case map[string]any:
		if logical, ok := s["logicalType"].(string); ok {
			m.define(s)
			return m.logical(b, s, logical)
		}
		return m.complex(b, s)
	}
	name := schema.(string)
	if def, ok := m.names[name]; ok {
		return m.value(b, def)
	}
	switch name {
	case "null":
		return b, nil
	case "boolean":
		x := m.rng.IntN(2)
		return append(b, byte(x)), x == 1
	case "int":
		x := int64(int32(m.integer()))
		return binary.AppendVarint(b, x), x
	case "long":
		x := m.integer()
		return binary.AppendVarint(b, x), x
	case "float":
		x := float32(m.rng.NormFloat64())
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(x)), x
	case "double":
		x := m.rng.NormFloat64()
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(x)), x
	case "bytes":
		x := []byte(m.text())
		return append(binary.AppendVarint(b, int64(len(x))), x...), x
	case "string":
		x := m.text()
		return append(binary.AppendVarint(b, int64(len(x))), x...), x
	}
	panic("no type " + name)
}

func (m *maker) integer() int64 { return int64(m.rng.Uint64()) >> m.rng.IntN(64) }

func (m *maker) text() string {
	n := m.rng.IntN(12)
	if m.rng.IntN(10) == 0 {
		n = m.rng.IntN(300)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + m.rng.IntN(26))
	}
	return string(b)
}

func (m *maker) define(s map[string]any) {
	if name, ok := s["name"].(string); ok {
		m.names[name] = s
		m.names[name[strings.LastIndex(name, ".")+1:]] = s
	}
}

func (m *maker) complex(b []byte, s map[string]any) ([]byte, any) {
	m.define(s)
	switch s["type"] {
	case "record":
		var f fields
		m.depth++
		for _, fld := range s["fields"].([]any) {
			fld := fld.(map[string]any)
			var x any
			b, x = m.value(b, fld["type"])
			f.names = append(f.names, fld["name"].(string))
			f.values = append(f.values, x)
		}
		m.depth--
		return b, f
	case "enum":
		symbols := s["symbols"].([]any)
		i := m.rng.IntN(len(symbols))
		return binary.AppendVarint(b, int64(i)), symbol{i, symbols[i].(string)}
	case "fixed":
		x := make([]byte, m.number(s, "size"))
		for i := range x {
			x[i] = byte(m.rng.Uint32())
		}
		return append(b, x...), x
	case "array":
		x := array{}
		b = m.blocks(b, 5, func(b []byte) []byte {
			var elem any
			b, elem = m.value(b, s["items"])
			x = append(x, elem)
			return b
		})
		return b, x
	case "map":
		x, most := dict{}, 2
		if m.wide {
			most = 5
		}
		b = m.blocks(b, most, func(b []byte) []byte {
			key := fmt.Sprint(m.text(), len(x))
			b = append(binary.AppendVarint(b, int64(len(key))), key...)
			b, x[key] = m.value(b, s["values"])
			return b
		})
		return b, x
	}
	return m.value(b, s["type"])
}

func (m *maker) number(s map[string]any, name string) int {
	n, ok := s[name].(json.Number)
	if !ok {
		return 0
	}
	i, err := n.Int64()
	if err != nil {
		panic(err)
	}
	return int(i)
}

// blocks writes fewer than most elements.
func (m *maker) blocks(b []byte, most int, elem func([]byte) []byte) []byte {
	n := m.rng.IntN(most)
	if m.depth > 3 {
		n = 0
	}
	for n > 0 {
		k := n
		if m.wide {
			k = 1 + m.rng.IntN(n)
		}
		var block []byte
		for range k {
			block = elem(block)
		}
		if m.wide && m.rng.IntN(2) == 0 {
			b = binary.AppendVarint(binary.AppendVarint(b, int64(-k)), int64(len(block)))
		} else {
			b = binary.AppendVarint(b, int64(k))
		}
		b = append(b, block...)
		n -= k
	}
	return append(b, 0)
}

func (m *maker) union(b []byte, branches []any) ([]byte, any) {
	i := m.rng.IntN(len(branches))
	if m.depth > 3 {
		for k, branch := range branches {
			if branch == "null" {
				i = k
			}
		}
	}
	return m.value(binary.AppendVarint(b, int64(i)), branches[i])
}

func (m *maker) logical(b []byte, s map[string]any, logical string) ([]byte, any) {
	long := func(x int64) []byte { return binary.AppendVarint(b, x) }
	switch logical {
	case "date":
		x := int64(m.rng.IntN(200000) - 100000)
		return long(x), time.Unix(x*86400, 0)
	case "time-millis":
		x := int64(m.rng.IntN(86400e3))
		return long(x), time.Duration(x) * time.Millisecond
	case "time-micros":
		x := m.rng.Int64N(86400e6)
		return long(x), time.Duration(x) * time.Microsecond
	case "timestamp-millis", "local-timestamp-millis":
		x := m.integer() >> 16
		return long(x), time.UnixMilli(x)
	case "timestamp-micros", "local-timestamp-micros":
		x := m.integer() >> 8
		return long(x), time.UnixMicro(x)
	case "timestamp-nanos", "local-timestamp-nanos":
		x := m.integer()
		return long(x), time.Unix(0, x)
	case "uuid":
		var u avro.UUID
		for i := range u {
			u[i] = byte(m.rng.Uint32())
		}
		if s["type"] == "fixed" {
			return append(b, u[:]...), u
		}
		return append(binary.AppendVarint(b, 36), u.String()...), u
	case "duration":
		d := avro.Duration{Months: m.rng.Uint32(), Days: m.rng.Uint32(), Milliseconds: m.rng.Uint32()}
		for _, x := range []uint32{d.Months, d.Days, d.Milliseconds} {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b, d
	case "decimal", "big-decimal":
		return m.decimal(b, s, logical)
	}
	panic("no logical type " + logical)
}

func (m *maker) decimal(b []byte, s map[string]any, logical string) ([]byte, any) {
	precision, scale := m.number(s, "precision"), m.number(s, "scale")
	if logical == "big-decimal" {
		precision, scale = 30, m.rng.IntN(20)
	}
	power := func(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
	digits := make([]byte, precision/2+1)
	for i := range digits {
		digits[i] = byte(m.rng.Uint32())
	}
	x := new(big.Int).SetBytes(digits)
	x.Mod(x, power(1+m.rng.IntN(precision)))
	if m.rng.IntN(2) == 0 {
		x.Neg(x)
	}
	r := new(big.Rat).SetFrac(x, power(scale))
	if logical == "big-decimal" {
		// The least scale.
		for scale > 0 && new(big.Int).Rem(x, big.NewInt(10)).Sign() == 0 {
			x.Quo(x, big.NewInt(10))
			scale--
		}
		p := twosComplement(x)
		inner := append(binary.AppendVarint(nil, int64(len(p))), p...)
		inner = binary.AppendVarint(inner, int64(scale))
		return append(binary.AppendVarint(b, int64(len(inner))), inner...), r
	}
	p := twosComplement(x)
	if s["type"] == "fixed" {
		sign := byte(0)
		if x.Sign() < 0 {
			sign = 0xff
		}
		for range m.number(s, "size") - len(p) {
			b = append(b, sign)
		}
		return append(b, p...), r
	}
	return append(binary.AppendVarint(b, int64(len(p))), p...), r
}

// twosComplement returns x in as few bytes as possible.
func twosComplement(x *big.Int) []byte {
	for n := 1; ; n++ {
		limit := new(big.Int).Lsh(big.NewInt(1), uint(8*n-1))
		if x.Cmp(limit) >= 0 || x.Cmp(new(big.Int).Neg(limit)) < 0 {
			continue
		}
		y := new(big.Int).Set(x)
		if y.Sign() < 0 {
			y.Add(y, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
		}
		return y.FillBytes(make([]byte, n))
	}
}

// differ says where a variable that was read is not what its bytes mean; "" if it is.
func differ(at string, v reflect.Value, want any) string {
	bad := func() string { return fmt.Sprintf("%s: %v, want %v", at, v.Interface(), want) }
	ok := func(is bool) string {
		if is {
			return ""
		}
		return bad()
	}
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() || want == nil {
			return ok(v.IsNil() && want == nil)
		}
		return differ(at, v.Elem(), want)
	}
	switch got := v.Interface().(type) {
	case time.Time:
		w, is := want.(time.Time)
		return ok(is && got.Equal(w) && got.Location() == time.UTC)
	case big.Rat:
		w, is := want.(*big.Rat)
		return ok(is && got.Cmp(w) == 0)
	case avro.UUID, avro.Duration, time.Duration:
		return ok(got == want)
	}
	if v.Kind() == reflect.Struct && v.NumField() == 1 && v.Type().Field(0).Name == "Value" {
		return differ(at+".Value", v.Field(0), want)
	}
	switch w := want.(type) {
	case nil:
		return ok(v.Kind() == reflect.Struct && v.NumField() == 0 || v.Kind() != reflect.Struct && v.IsNil())
	case bool:
		return ok(v.Kind() == reflect.Bool && v.Bool() == w)
	case int64:
		return ok(v.CanInt() && v.Int() == w)
	case float32:
		return ok(v.Kind() == reflect.Float32 && float32(v.Float()) == w)
	case float64:
		return ok(v.Kind() == reflect.Float64 && v.Float() == w)
	case string:
		return ok(v.Kind() == reflect.String && v.String() == w)
	case symbol:
		return ok(v.CanInt() && v.Int() == int64(w.index) && fmt.Sprint(v.Interface()) == w.name)
	case []byte:
		if v.Kind() == reflect.Array {
			got := make([]byte, v.Len())
			reflect.Copy(reflect.ValueOf(got), v)
			return ok(string(got) == string(w))
		}
		return ok(!v.IsNil() && string(v.Bytes()) == string(w))
	case array:
		if v.Kind() != reflect.Slice || v.IsNil() || v.Len() != len(w) {
			return bad()
		}
		for i, x := range w {
			if s := differ(fmt.Sprintf("%s[%d]", at, i), v.Index(i), x); s != "" {
				return s
			}
		}
		return ""
	case dict:
		if v.Kind() != reflect.Map || v.IsNil() || v.Len() != len(w) {
			return bad()
		}
		for key, x := range w {
			got := v.MapIndex(reflect.ValueOf(key))
			if !got.IsValid() {
				return bad()
			}
			if s := differ(fmt.Sprintf("%s[%s]", at, key), got, x); s != "" {
				return s
			}
		}
		return ""
	case fields:
		for i, name := range w.names {
			at := at + "." + name
			got := v.FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, strings.ReplaceAll(name, "_", "")) })
			if !got.IsValid() {
				return at + ": no such field"
			}
			if s := differ(at, got, w.values[i]); s != "" {
				return s
			}
		}
		return ""
	}
	return bad()
}
