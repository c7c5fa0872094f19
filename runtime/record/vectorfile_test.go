package record

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// vectorFile has all vectors as text, for this serializer, for generated ones, and for whoever reads or writes the format in another language. FORMAT.md, section Vectors, says what a line is.
var vectorFile = filepath.Join("..", "wire", "testdata", "vectors.txt")

var appendVectors = flag.Bool("vectors", false, "append new vectors to the file")

// Of the file, these many bytes, with this SHA-256, never change: data in this format is out there. When vectors are added, the numbers follow.
const (
	frozenBytes  = 23028
	frozenSHA256 = "df4fffdaa103246c4b349f9da5de46e9bde6034eac1afac9e8f1865b3139bc37"
)

// TestVectorsStay tests that nobody has changed a vector.
func TestVectorsStay(t *testing.T) {
	text, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) < frozenBytes {
		t.Fatalf("the file has %d bytes, %d are there for ever", len(text), frozenBytes)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(text[:frozenBytes])); got != frozenSHA256 {
		t.Errorf("the first %d bytes have changed: SHA-256 %s, want %s", frozenBytes, got, frozenSHA256)
	}
	if len(text) > frozenBytes {
		t.Errorf("there are new vectors: from now on %d bytes, SHA-256 %x, stay", len(text), sha256.Sum256(text))
	}
}

// TestVectorFile tests that the file has the vectors of this package's tests, and no others.
func TestVectorFile(t *testing.T) {
	text, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	want, names := fileVectors(t)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "\t")
		if len(columns) != 5 {
			t.Errorf("%d columns: %s", len(columns), line)
			continue
		}
		name := columns[0] + " " + columns[1]
		if strconv.IntSize == 32 && columns[1] == "time far off" { // the year is an int, and does not fit; the bytes are compared
			if line := want[name]; line != "" {
				want[name] = line[:strings.LastIndexByte(line, '\t')+1] + columns[4]
			}
		}
		switch {
		case want[name] == "":
			t.Errorf("no test has the vector %s", line)
		case want[name] != line:
			t.Errorf("the file has\n%s\nthe tests\n%s", line, want[name])
		default:
			delete(want, name)
		}
	}
	for _, name := range names {
		line, isNew := want[name]
		switch {
		case !isNew:
		case *appendVectors:
			text = append(text, line+"\n"...)
		default:
			t.Errorf("the file lacks a vector, append it with -vectors: %s", line)
		}
	}
	if *appendVectors {
		if err := os.WriteFile(vectorFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestVectorsQuoted tests that the page of the format shows vectors as they are in the file.
func TestVectorsQuoted(t *testing.T) {
	text, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "wire", "FORMAT.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(page), "Vectors\n\n")
	if !ok {
		t.Fatal("the page has no section Vectors")
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		lines[strings.Join(strings.Fields(line), " ")] = true
	}
	_, quoted, _ := strings.Cut(section, "```\n")
	quoted, _, _ = strings.Cut(quoted, "```\n")
	n := 0
	for line := range strings.Lines(quoted) {
		n++
		if !lines[strings.Join(strings.Fields(line), " ")] {
			t.Errorf("the file has no line %s", line)
		}
	}
	if n < 30 {
		t.Errorf("only %d vectors are quoted", n)
	}
}

// fileVectors returns the lines of the tests' vectors by what identifies them, and that in order.
func fileVectors(t *testing.T) (lines map[string]string, names []string) {
	lines = map[string]string{}
	add := func(kind, name, schema, bytes, value string) {
		id := kind + " " + name
		if lines[id] != "" {
			t.Errorf("two vectors %s", id)
		}
		names = append(names, id)
		lines[id] = strings.Join([]string{kind, name, schema, strings.ReplaceAll(bytes, " ", ""), value}, "\t")
	}
	for _, group := range []struct {
		prefix  string
		vectors []vector
	}{{"", vectors}, {"tag: ", optionVectors}, {"union: ", unionVectors}, {"own: ", ownVectors}} {
		for _, v := range group.vectors {
			schema, value, err := v.show()
			if err != nil {
				t.Fatal(err)
			}
			add("value", group.prefix+v.name, schema, v.hex, value)
		}
	}
	for _, group := range []struct {
		prefix   string
		refusals []refusal
	}{{"", refusals}, {"tag: ", optionRefusals}, {"union: ", unionRefusals}, {"own: ", ownRefusals}} {
		for _, r := range group.refusals {
			const most = 1000                                                                                                   // digits
			if kind := refusalKind(r.err); kind != "" && len(r.hex) <= most && r.name != "little on the wire, much in memory" { // that is of Go
				schema, err := r.schema()
				if err != nil {
					t.Fatal(err)
				}
				add("refused", group.prefix+r.name, schema, r.hex, kind)
			}
		}
	}
	return lines, names
}

// refusalKind returns the name of an error in the file, "" for errors that are not of the format.
func refusalKind(err error) string {
	switch {
	case errors.Is(err, wire.ErrTruncated):
		return "truncated"
	case errors.Is(err, wire.ErrUTF8):
		return "utf8"
	case errors.Is(err, wire.ErrLimit):
		return "limit"
	case errors.Is(err, wire.ErrCorrupt):
		return "corrupt"
	}
	return ""
}

// literal returns a value as text: much as fmt has it, but with what pointers point to, times in UTC, texts quoted, and the bits of a NaN.
func literal(v reflect.Value) string {
	if v.Type() == reflect.TypeFor[time.Time]() {
		at := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface().(*time.Time)
		return at.UTC().Format("2006-01-02T15:04:05.999999999Z")
	}
	if v.CanAddr() && v.Kind() == reflect.Struct {
		if s, ok := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface().(fmt.Stringer); ok {
			return s.String()
		}
	}
	parts := func(n int, part func(i int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = part(i)
		}
		return strings.Join(list, " ")
	}
	switch v.Kind() {
	case reflect.String:
		return fmt.Sprintf("%+q", v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32:
		if f := *(*float32)(v.Addr().UnsafePointer()); f != f {
			return fmt.Sprintf("NaN(%#x)", *(*uint32)(v.Addr().UnsafePointer()))
		}
	case reflect.Float64:
		if f := v.Float(); f != f {
			return fmt.Sprintf("NaN(%#x)", *(*uint64)(v.Addr().UnsafePointer()))
		}
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		if v.IsNil() {
			return "nil"
		}
		return literalOf(v, parts)
	case reflect.Array:
		return "[" + parts(v.Len(), func(i int) string { return literal(v.Index(i)) }) + "]"
	case reflect.Struct:
		return "{" + parts(v.NumField(), func(i int) string {
			f := v.Type().Field(i)
			if f.Name == "_" || f.Tag.Get("rw") == "-" {
				return "-"
			}
			open := reflect.NewAt(f.Type, v.Field(i).Addr().UnsafePointer()).Elem() // also if it is not exported
			return f.Name + ":" + literal(open)
		}) + "}"
	}
	return fmt.Sprint(v)
}

// literalOf is literal for what is not nil.
func literalOf(v reflect.Value, parts func(int, func(int) string) string) string {
	switch v.Kind() {
	case reflect.Pointer:
		return "&" + literal(v.Elem())
	case reflect.Interface:
		dynamic := v.Elem()
		settable := reflect.New(dynamic.Type()).Elem()
		settable.Set(dynamic)
		return dynamic.Type().String() + "(" + literal(settable) + ")"
	case reflect.Map:
		var list []string
		for iter := v.MapRange(); iter.Next(); {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.Set(iter.Key())
			elem.Set(iter.Value())
			list = append(list, literal(key)+":"+literal(elem))
		}
		slices.Sort(list)
		return "{" + strings.Join(list, " ") + "}"
	}
	if n := v.Len(); n > 20 && v.Type().Elem().Kind() != reflect.Interface {
		return fmt.Sprintf("[%d times %s]", n, literal(v.Index(0)))
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		p := make([]byte, v.Len())
		for i := range p {
			p[i] = byte(v.Index(i).Uint())
		}
		return "0x" + hex.EncodeToString(p)
	}
	return "[" + parts(v.Len(), func(i int) string { return literal(v.Index(i)) }) + "]"
}
