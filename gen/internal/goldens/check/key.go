package check

import (
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// Channel returns the channel of a record by FORMAT.md, section 6, from its key fields: slowly, and independently of the generator and of
// package selector.
func Channel[T any](v *T, channels int, fields ...string) int {
	var parts []reflect.Value
	for _, f := range fields {
		part := reflect.ValueOf(v).Elem()
		for _, name := range strings.Split(f, ".") {
			part = part.FieldByName(name)
		}
		parts = append(parts, part)
	}
	var key []byte
	if len(parts) == 1 && (parts[0].Kind() == reflect.String || parts[0].Kind() == reflect.Slice) {
		key = text(parts[0])
	} else {
		for _, p := range parts {
			key = appendKey(key, p)
		}
	}
	hash := xxh3.Hash(key)
	// The upper half of the product of hash and channels, from its two halves.
	hi, lo := hash>>32, hash&0xffffffff
	n := uint64(channels)
	return int((hi*n + lo*n>>32) >> 32)
}

func text(v reflect.Value) []byte {
	if v.Kind() == reflect.String {
		return []byte(v.String())
	}
	p := make([]byte, v.Len())
	for i := range p {
		p[i] = byte(v.Index(i).Uint())
	}
	return p
}

// appendKey appends a part of a composite key.
func appendKey(key []byte, v reflect.Value) []byte {
	if v.Type() == timeType {
		t := v.Interface().(time.Time)
		key = binary.LittleEndian.AppendUint64(key, uint64(t.Unix()))
		return binary.LittleEndian.AppendUint32(key, uint32(t.Nanosecond()))
	}
	word := func(w uint64, size int) []byte {
		return append(key, binary.LittleEndian.AppendUint64(nil, w)[:size]...)
	}
	switch v.Kind() {
	case reflect.String, reflect.Slice:
		p := text(v)
		return append(binary.AppendUvarint(key, uint64(len(p))), p...)
	case reflect.Bool:
		if v.Bool() {
			return append(key, 1)
		}
		return append(key, 0)
	case reflect.Int, reflect.Int64:
		return word(uint64(v.Int()), 8)
	case reflect.Int8, reflect.Int16, reflect.Int32:
		return word(uint64(v.Int()), int(v.Type().Size()))
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return word(v.Uint(), 8)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return word(v.Uint(), int(v.Type().Size()))
	case reflect.Float32:
		f := float32(v.Float())
		switch {
		case f != f:
			return word(0x7fc00000, 4)
		case f == 0:
			return word(0, 4)
		}
		return word(uint64(math.Float32bits(f)), 4)
	case reflect.Float64:
		f := v.Float()
		switch {
		case f != f:
			return word(0x7ff8000000000000, 8)
		case f == 0:
			return word(0, 8)
		}
		return word(math.Float64bits(f), 8)
	case reflect.Array:
		for i := range v.Len() {
			key = appendKey(key, v.Index(i))
		}
		return key
	case reflect.Struct:
		for i := range v.NumField() {
			key = appendKey(key, v.Field(i))
		}
		return key
	}
	panic("no key: " + v.Kind().String())
}
