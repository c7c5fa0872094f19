package record

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"
)

// randomRecord returns a random record: every bit pattern of numbers, nil and empty, lengths that need more than one byte. Values of
// recursive types become smaller level by level.
func randomRecord[T any](r *rand.Rand) *T {
	v := new(T)
	g := generator{r, 6}
	g.fill(reflect.TypeFor[T](), ptr(v), 4)
	return v
}

type generator struct {
	*rand.Rand
	left int // long values still to be made
}

func (g *generator) length(depth int) int {
	switch {
	case depth <= 0:
		return 0
	case g.left > 0 && g.IntN(40) == 0:
		g.left--
		return 100 + g.IntN(100)
	}
	return g.IntN(4)
}

func (g *generator) fill(rt reflect.Type, p ptr, depth int) {
	v := variable(rt, p)
	switch rt.Kind() {
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 1)
	case reflect.String:
		var b strings.Builder
		for range g.length(1) {
			b.WriteByte(byte(g.Uint32()))
		}
		v.SetString(b.String())
	case reflect.Pointer:
		if g.IntN(3) > 0 && depth > 0 {
			q := reflect.New(rt.Elem())
			g.fill(rt.Elem(), q.UnsafePointer(), depth-1)
			*(*ptr)(p) = q.UnsafePointer()
		}
	case reflect.Slice:
		if g.IntN(4) > 0 {
			n := g.length(depth)
			v.Set(reflect.MakeSlice(rt, n, n+g.IntN(3)))
			for i := range n {
				g.fill(rt.Elem(), v.Index(i).Addr().UnsafePointer(), depth-1)
			}
		}
	case reflect.Array:
		for i := range rt.Len() {
			g.fill(rt.Elem(), elemAt(p, i, rt.Elem().Size()), depth)
		}
	case reflect.Map:
		if g.IntN(4) > 0 {
			v.Set(reflect.MakeMap(rt))
			for range g.length(depth) {
				key, elem := reflect.New(rt.Key()), reflect.New(rt.Elem())
				g.fill(rt.Key(), key.UnsafePointer(), depth-1)
				g.fill(rt.Elem(), elem.UnsafePointer(), depth-1)
				v.SetMapIndex(key.Elem(), elem.Elem())
			}
		}
	case reflect.Struct:
		if rt == timeType {
			*(*time.Time)(p) = g.time()
			return
		}
		for i := range rt.NumField() {
			if f := rt.Field(i); f.Type.Kind() != reflect.Func {
				g.fill(f.Type, at(p, f.Offset), depth)
			}
		}
	default:
		g.number(memory(p, int(rt.Size())))
	}
}

// number fills the memory of a number, small as often as large.
func (g *generator) number(b []byte) {
	switch g.IntN(4) {
	case 0:
		clear(b)
	case 1:
		for i := range b {
			b[i] = 0xff
		}
	default:
		for i := range b {
			b[i] = byte(g.Uint32())
		}
	}
	if g.IntN(2) == 0 {
		b[0] = byte(g.Uint32())
	}
}

func (g *generator) time() time.Time {
	switch g.IntN(4) {
	case 0:
		return time.Time{}
	case 1:
		return time.Unix(int64(g.Uint64()), g.Int64N(1e9)).UTC()
	default:
		return time.Unix(g.Int64N(math.MaxUint32), g.Int64N(1e9)).UTC()
	}
}
