package avro_test

import (
	"errors"
	"strings"
	"testing"

	twmb "github.com/twmb/avro"

	"github.com/rwgen/rwgen/runtime/avro"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// rec returns the schema of a record R with these fields.
func rec(fields string) string { return `{"type":"record","name":"x.R","fields":[` + fields + `]}` }

func recordSchema(text string) record.Schema {
	s := record.TextSchema(avro.TextPrefix+text, text)
	s.Rules = avro.Rules{}
	return s
}

const (
	node1 = `{"name":"n","type":{"type":"record","name":"x.N","fields":[{"name":"v","type":"int"},{"name":"kids","type":{"type":"array","items":"x.N"}},{"name":"next","type":["null","x.N"]}]}}`
	node2 = `{"name":"n","type":{"type":"record","name":"x.N","fields":[{"name":"next","type":["x.N","null"]},{"name":"w","type":"string","default":"d"},{"name":"kids","type":{"type":"array","items":"x.N"}},{"name":"v","type":"long"}]}}`
)

// The reference library reads what was written under the writer's schema; written again under the reader's, it is what a translation makes.
func TestResolve(t *testing.T) {
	type m = map[string]any
	leaf := m{"v": int32(7), "kids": []any{}, "next": nil}
	for _, tt := range []struct {
		name, writer, reader string
		value                m
	}{
		{"the same", `{"name":"a","type":"int"}`, `{"name":"a","type":"int","doc":"x"}`, m{"a": int32(-5)}},
		{"int to long", `{"name":"a","type":"int"}`, `{"name":"a","type":"long"}`, m{"a": int32(-500)}},
		{"int to float", `{"name":"a","type":"int"}`, `{"name":"a","type":"float"}`, m{"a": int32(-500)}},
		{"int to double", `{"name":"a","type":"int"}`, `{"name":"a","type":"double"}`, m{"a": int32(12345)}},
		{"long to float", `{"name":"a","type":"long"}`, `{"name":"a","type":"float"}`, m{"a": int64(1) << 40}},
		{"long to double", `{"name":"a","type":"long"}`, `{"name":"a","type":"double"}`, m{"a": int64(1) << 40}},
		{"float to double", `{"name":"a","type":"float"}`, `{"name":"a","type":"double"}`, m{"a": float32(1.25)}},
		{"string to bytes", `{"name":"a","type":"string"}`, `{"name":"a","type":"bytes"}`, m{"a": "hello"}},
		{"bytes to string", `{"name":"a","type":"bytes"}`, `{"name":"a","type":"string"}`, m{"a": []byte("hello")}},
		{"fewer fields", `{"name":"a","type":"int"},{"name":"b","type":"string"},{"name":"c","type":"double"}`, `{"name":"c","type":"double"}`, m{"a": int32(1), "b": "x", "c": 2.5}},
		{"more fields", `{"name":"b","type":"int"}`,
			`{"name":"a","type":"string","default":"né"},{"name":"b","type":"int"},{"name":"c","type":{"type":"array","items":"long"},"default":[1,-2]},{"name":"d","type":["null","int"],"default":null},
			{"name":"e","type":{"type":"map","values":"int"},"default":{}},{"name":"f","type":"bytes","default":"\u00ff\u0001"},{"name":"g","type":"boolean","default":true},{"name":"h","type":"float","default":1.5},
			{"name":"i","type":{"type":"record","name":"x.I","fields":[{"name":"p","type":"int"},{"name":"q","type":"int","default":9}]},"default":{"p":4}},
			{"name":"j","type":{"type":"enum","name":"x.E","symbols":["A","B"]},"default":"B"},{"name":"k","type":{"type":"fixed","name":"x.F","size":2},"default":"ab"}`, m{"b": int32(3)}},
		{"another order", `{"name":"a","type":"int"},{"name":"b","type":"string"},{"name":"c","type":"long"}`,
			`{"name":"c","type":"long"},{"name":"n","type":"int","default":8},{"name":"a","type":"long"},{"name":"b","type":"string"}`, m{"a": int32(1), "b": "text", "c": int64(-9)}},
		{"alias", `{"name":"old","type":"int"}`, `{"name":"new","aliases":["old"],"type":"int"}`, m{"old": int32(4)}},
		{"enum", `{"name":"a","type":{"type":"enum","name":"x.E","symbols":["A","B","C"]}}`, `{"name":"a","type":{"type":"enum","name":"x.E","symbols":["C","X","A"],"default":"X"}}`, m{"a": "B"}},
		{"enum order", `{"name":"a","type":{"type":"enum","name":"x.E","symbols":["A","B","C"]}}`, `{"name":"a","type":{"type":"enum","name":"x.E","symbols":["C","B","A"]}}`, m{"a": "A"}},
		{"alias of a type", `{"name":"a","type":{"type":"fixed","name":"x.Old","size":2}}`, `{"name":"a","type":{"type":"fixed","name":"x.New","aliases":["Old"],"size":2}}`, m{"a": []byte("zz")}},
		{"into a union", `{"name":"a","type":"int"}`, `{"name":"a","type":["null","string","long"]}`, m{"a": int32(77)}},
		{"into the exact branch", `{"name":"a","type":"int"}`, `{"name":"a","type":["long","int"]}`, m{"a": int32(77)}},
		{"out of a union", `{"name":"a","type":["int","long"]}`, `{"name":"a","type":"double"}`, m{"a": m{"int": int32(77)}}},
		{"another union", `{"name":"a","type":["null","int","string"]}`, `{"name":"a","type":["string","null","double"]}`, m{"a": int32(77)}},
		{"arrays and maps", `{"name":"a","type":{"type":"array","items":{"type":"map","values":"int"}}}`, `{"name":"a","type":{"type":"array","items":{"type":"map","values":"double"}}}`,
			m{"a": []any{m{"x": int32(1)}, m{}, m{"y": int32(-2)}}}},
		{"skipped arrays and maps", `{"name":"a","type":{"type":"array","items":{"type":"map","values":["null","string","x.R"]}}},{"name":"b","type":"int"}`, `{"name":"b","type":"int"}`,
			m{"a": []any{m{"x": "s"}, m{}, m{"y": nil}}, "b": int32(6)}},
		{"recursive", node1, node2, m{"n": m{"v": int32(1), "kids": []any{leaf, m{"v": int32(2), "kids": []any{leaf}, "next": nil}}, "next": leaf}}},
		{"logical type added", `{"name":"a","type":"long"}`, `{"name":"a","type":{"type":"long","logicalType":"timestamp-millis"}}`, m{"a": int64(1e12)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, r := rec(tt.writer), rec(tt.reader)
			wref, rref := twmb.MustParse(w), twmb.MustParse(r)
			src, err := wref.Encode(tt.value)
			if err != nil {
				t.Fatal(err)
			}
			resolved, err := twmb.Resolve(wref, rref)
			if err != nil {
				t.Fatal(err)
			}
			var x any
			if _, err := resolved.Decode(src, &x, twmb.TaggedUnions()); err != nil {
				t.Fatal(err)
			}
			want, err := rref.Encode(x, twmb.TaggedUnions())
			if err != nil {
				t.Fatal(err)
			}
			ws := recordSchema(w)
			ws.Rules = nil // as it comes from another process
			tr, err := record.Resolve(ws, recordSchema(r))
			if err != nil {
				t.Fatal(err)
			}
			got, consumed, err := tr.Append(nil, append(src, 0xff), record.Limits{})
			if err != nil || string(got) != string(want) || consumed != len(src) {
				t.Fatalf("% x becomes % x, %d, %v, want % x", src, got, consumed, err, want)
			}
			dst := make([]byte, len(want))
			for room := range want {
				if _, _, err := tr.Put(dst[:room], src, record.Limits{}); err != wire.ErrShort {
					t.Fatalf("Put into %d of %d bytes: %v", room, len(want), err)
				}
			}
			for n := range src {
				_, _, err := tr.Append(nil, src[:n], record.Limits{})
				var at *wire.Error
				if !errors.As(err, &at) || !errors.Is(err, wire.ErrTruncated) || at.Offset > n {
					t.Fatalf("%d of %d bytes: %v", n, len(src), err)
				}
			}
		})
	}
}

func TestResolveRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, writer, reader, want string
	}{
		{"narrower", `{"name":"a","type":"long"}`, `{"name":"a","type":"int"}`, "R.a: long became int"},
		{"another type", `{"name":"a","type":"boolean"}`, `{"name":"a","type":"string"}`, "R.a: boolean became string"},
		{"no default", `{"name":"a","type":"int"}`, `{"name":"a","type":"int"},{"name":"b","type":"int"}`, "R.b: the writer has no such field: it has no default"},
		{"a wrong default", `{"name":"a","type":"int"}`, `{"name":"a","type":"int"},{"name":"b","type":"int","default":"x"}`, "R.b: the writer has no such field: its default is wrong"},
		{"sizes", `{"name":"a","type":{"type":"fixed","name":"F","size":2}}`, `{"name":"a","type":{"type":"fixed","name":"F","size":3}}`, "R.a: a fixed of 2 bytes became one of 3"},
		{"names", `{"name":"a","type":{"type":"fixed","name":"F","size":2}}`, `{"name":"a","type":{"type":"fixed","name":"G","size":2}}`, "it has another name"},
		{"units", `{"name":"a","type":{"type":"long","logicalType":"timestamp-millis"}}`, `{"name":"a","type":{"type":"long","logicalType":"timestamp-micros"}}`, "timestamp-millis became timestamp-micros"},
		{"scales", `{"name":"a","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}}`, `{"name":"a","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":3}}`, "decimal(9,2) became decimal(9,3)"},
		{"unions", `{"name":"a","type":["null","string"]}`, `{"name":"a","type":["boolean","int"]}`, "R.a"},
		{"deep", `{"name":"a","type":{"type":"array","items":{"type":"map","values":"string"}}}`, `{"name":"a","type":{"type":"array","items":{"type":"map","values":"int"}}}`, "R.a[][]: string became int"},
		{"two", `{"name":"a","type":"long"},{"name":"b","type":"long"}`, `{"name":"a","type":"int"},{"name":"b","type":"int"}`, "R.b: long became int"},
		{"twice the same", `{"name":"a","type":["null",{"type":"record","name":"P","fields":[{"name":"x","type":"long"}]}]},{"name":"b","type":"P"}`,
			`{"name":"a","type":["null",{"type":"record","name":"P","fields":[{"name":"x","type":"int"}]}]},{"name":"b","type":"P"}`, "R.b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr, err := record.Resolve(recordSchema(rec(tt.writer)), recordSchema(rec(tt.reader)))
			var e *record.ResolveError
			if !errors.As(err, &e) || tr != nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v, want %q", tr, err, tt.want)
			}
		})
	}
	a := recordSchema(rec(`{"name":"a","type":"int"},{"name":"b","type":"int"}`))
	b := recordSchema(rec(`{"name":"a","type":"int"}`))
	if _, err := record.Resolve(a, b, record.RefuseUnknown()); err == nil || !strings.Contains(err.Error(), "R.b: the writer has a field that the reader lacks") {
		t.Error(err)
	}
	native := record.TextSchema("rwgen/1 R{A i32}", "")
	for _, pair := range [][2]record.Schema{{native, a}, {a, native}} {
		var e *record.ResolveError
		if _, err := record.Resolve(pair[0], pair[1]); !errors.As(err, &e) {
			t.Errorf("schemas of two formats: %v", err)
		}
	}
	a.Rules, b.Rules = nil, nil
	var e *record.ResolveError
	if _, err := record.Resolve(a, b); !errors.As(err, &e) {
		t.Errorf("schemas without rules: %v", err)
	}
	for _, text := range []string{"", "{", `"int"`, `{"type":"record","name":"R","fields":[{"name":"r","type":"R"}]}`, `{"type":"record","name":"R","fields":[{"name":"r","type":"S"}]}`, strings.Repeat("[", 100000)} {
		if _, err := record.Resolve(recordSchema(text), b); err == nil {
			t.Errorf("%.100s passes for a schema", text)
		}
		b.Rules = avro.Rules{}
		if _, err := record.Resolve(recordSchema(text), b); err == nil {
			t.Errorf("%.100s passes for a schema", text)
		}
	}
}

// A value that the reader has nothing for is an error of its record.
func TestResolveUnknown(t *testing.T) {
	for _, tt := range []struct {
		writer, reader string
		src            string
	}{
		{`{"name":"a","type":["null","string","int"]}`, `{"name":"a","type":["null","int"]}`, "\x02\x02x"},
		{`{"name":"a","type":["null","int"]}`, `{"name":"a","type":"long"}`, "\x00"},
		{`{"name":"a","type":{"type":"enum","name":"E","symbols":["A","B"]}}`, `{"name":"a","type":{"type":"enum","name":"E","symbols":["A"]}}`, "\x02"},
	} {
		tr, err := record.Resolve(recordSchema(rec(tt.writer)), recordSchema(rec(tt.reader)))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = tr.Append(nil, []byte(tt.src), record.Limits{})
		var at *wire.Error
		if !errors.Is(err, record.ErrUnknownMember) || !errors.As(err, &at) || at.Path != "a" {
			t.Errorf("%v", err)
		}
		// Strict rules refuse the schemas.
		strict := recordSchema(rec(tt.reader))
		strict.Rules = avro.Rules{Strict: true}
		var fault *record.ResolveError
		if _, err := record.Resolve(recordSchema(rec(tt.writer)), strict); !errors.As(err, &fault) || len(fault.Findings) != 1 {
			t.Errorf("strictly: %v", err)
		}
	}
}

// An error about an enum names the symbol; a default is for any, also strictly.
func TestResolveEnum(t *testing.T) {
	schema := func(typ string, rules avro.Rules) record.Schema {
		s := recordSchema(rec(`{"name":"a","type":` + typ + `}`))
		s.Rules = rules
		return s
	}
	two := schema(`{"type":"enum","name":"S","symbols":["X","Y"]}`, avro.Rules{})
	tr, err := record.Resolve(two, schema(`{"type":"enum","name":"S","symbols":["X"]}`, avro.Rules{}))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = tr.Append(nil, []byte("\x02"), record.Limits{})
	if want := `symbol "Y" of the writer is none of the reader's enum x.S, which has no default`; !errors.Is(err, record.ErrUnknownMember) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := record.Resolve(two, schema(`{"type":"enum","name":"S","symbols":["X"],"default":"X"}`, avro.Rules{Strict: true})); err != nil {
		t.Error(err)
	}
	// Within an optional field it is the symbol that is reported.
	_, err = record.Resolve(schema(`["null",{"type":"enum","name":"S","symbols":["X","Y"]}]`, avro.Rules{}),
		schema(`["null",{"type":"enum","name":"S","symbols":["X"]}]`, avro.Rules{Strict: true}))
	if err == nil || !strings.Contains(err.Error(), "the writer has a symbol Y") {
		t.Error(err)
	}
}

func TestResolveHeaders(t *testing.T) {
	text := rec(`{"name":"a","type":"int"}`)
	plain := recordSchema(text)
	single := record.TextSchema(avro.TextPrefix+avro.SingleObjectPrefix+text, text)
	single.Rules = avro.Rules{}
	object := make([]byte, avro.HeaderLen)
	avro.PutHeader(object, avro.Fingerprint(string(twmb.MustParse(text).Canonical())))
	object = append(object, 6)
	for _, tt := range []struct {
		w, r      record.Schema
		src, want string
	}{{plain, single, "\x06", string(object)}, {single, plain, string(object), "\x06"}} {
		tr, err := record.Resolve(tt.w, tt.r)
		if err != nil || tr == nil {
			t.Fatal(tr, err)
		}
		got, n, err := tr.Append(nil, []byte(tt.src), record.Limits{})
		if err != nil || string(got) != tt.want || n != len(tt.src) {
			t.Errorf("% x becomes % x, %d, %v, want % x", tt.src, got, n, err, tt.want)
		}
	}
	tr, _ := record.Resolve(single, plain)
	object[3]++
	var e *avro.HeaderError
	if _, _, err := tr.Append(nil, object, record.Limits{}); !errors.As(err, &e) {
		t.Error(err)
	}
}

// Few bytes do not make much work or many bytes.
func TestResolveBombs(t *testing.T) {
	list := func(items string) string { return `{"name":"a","type":{"type":"array","items":` + items + `}}` }
	empty := `{"type":"record","name":"P","fields":[]}`
	filled := `{"type":"record","name":"P","fields":[{"name":"x","type":"long","default":5}]}`
	tr, err := record.Resolve(recordSchema(rec(list(empty))), recordSchema(rec(list(filled))))
	if err != nil {
		t.Fatal(err)
	}
	count := []byte("\x80\x80\x80\x20\x00") // 32 million elements of no bytes
	if _, _, err := tr.Append(nil, count, record.Limits{MaxRecordBytes: 1 << 20}); !errors.Is(err, wire.ErrLimit) {
		t.Error(err)
	}
	tr, err = record.Resolve(recordSchema(rec(node1)), recordSchema(rec(node2)))
	if err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat("\x00\x00\x02", 5000) + "\x00\x00\x00"
	if _, _, err := tr.Append(nil, []byte(deep), record.Limits{}); !errors.Is(err, wire.ErrDepth) {
		t.Error(err)
	}
}
