package emit_test

import (
	"bytes"
	"errors"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// pkg returns a package of one file with records.
func pkg(records ...*ir.Record) (*ir.Package, *ir.File) {
	f := &ir.File{Source: "flight.go", Output: "flight_rw.go", Package: "p", Records: records}
	return &ir.Package{Path: "example.com/p", Name: "p", Files: []*ir.File{f}}, f
}

// rec returns a record with fields of the given kinds.
func rec(name string, line int, kinds ...ir.Kind) *ir.Record {
	t := &ir.Type{Kind: ir.Struct, Name: &ir.Name{PkgPath: "example.com/p", PkgName: "p", Name: name, Local: true}}
	for i, k := range kinds {
		t.Fields = append(t.Fields, &ir.Field{Name: string(rune('A' + i)), Type: &ir.Type{Kind: k}})
	}
	return &ir.Record{Name: name, Type: t, Pos: token.Position{Filename: "flight.go", Line: line, Column: 6}}
}

func TestTakenNames(t *testing.T) {
	tests := []struct {
		name    string
		scope   []string
		records func() []*ir.Record
		want    []string
	}{
		{name: "serializer", scope: []string{"FlightSerializer"}, want: []string{
			"flight.go:7:6: the name FlightSerializer of the serializer of Flight is taken in the package"}},
		{name: "all", scope: []string{"FlightWriter", "NewFlightReader", "FlightToAllWriter", "Flight"}, want: []string{
			"flight.go:7:6: the name FlightWriter of a writer of Flight is taken in the package",
			"flight.go:7:6: the name NewFlightReader of a constructor of Flight is taken in the package",
			"flight.go:5:1: the name FlightToAllWriter of the writer ToAll of Flight is taken in the package"}},
		{name: "each other", records: func() []*ir.Record {
			return []*ir.Record{flight(), rec("FlightToAll", 20, ir.Int32)}
		}, want: []string{
			"flight.go:20:6: the name FlightToAllWriter of a writer of FlightToAll is that of the writer ToAll of Flight, too",
			"flight.go:20:6: the name NewFlightToAllWriter of a constructor of FlightToAll is that of the constructor of the writer ToAll of Flight, too"}},
		{name: "Go's own", scope: []string{"len", "min", "error"}, want: []string{
			"flight.go:7:6: the package declares len, which generated code uses as Go's own",
			"flight.go:7:6: the package declares error, which generated code uses as Go's own"}},
		{name: "functions of our own", scope: []string{"emitFlight", "err", "wire", "gate", "v", "dst"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			records := []*ir.Record{flight()}
			if tt.records != nil {
				records = tt.records()
			}
			p, f := pkg(records...)
			p.Scope = tt.scope
			_, err := emit.NewPackage(p).File(f, emit.Options{})
			var list diag.List
			if err != nil && !errors.As(err, &list) {
				t.Fatal(err)
			}
			var got []string
			for _, d := range list {
				if d.Category != diag.Name || d.Hint == "" {
					t.Errorf("category %q, hint %q", d.Category, d.Hint)
				}
				got = append(got, d.Error())
			}
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func flight() *ir.Record {
	r := rec("Flight", 7, ir.String, ir.Int32)
	r.Writers = []*ir.Writer{{Name: "ToAll", Kind: ir.Broadcast, Pos: token.Position{Filename: "flight.go", Line: 5, Column: 1}}}
	return r
}

func TestHead(t *testing.T) {
	tests := []struct {
		name       string
		opts       emit.Options
		constraint string
		want       string
	}{
		{name: "plain", want: "// rwgen (devel) schema=%s\n// Source: flight.go\n\npackage p\n"},
		{name: "version", opts: emit.Options{Version: "v1.2.3"}, want: "// rwgen v1.2.3 schema=%s\n// Source: flight.go\n\npackage p\n"},
		{name: "constraint", constraint: "linux && !cgo",
			want: "// rwgen (devel) schema=%s\n// Source: flight.go\n\n//go:build linux && !cgo\n\npackage p\n"},
		{name: "header", opts: emit.Options{Header: "Copyright\n\n// of somebody\n"}, constraint: "linux",
			want: "// rwgen (devel) schema=%s\n// Source: flight.go\n\n// Copyright\n//\n// of somebody\n\n//go:build linux\n\npackage p\n"},
		{name: "block comment", opts: emit.Options{Header: "/* Copyright */"},
			want: "// rwgen (devel) schema=%s\n// Source: flight.go\n\n/* Copyright */\n\npackage p\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, f := pkg(rec("Flight", 1, ir.Int32))
			f.Constraint = tt.constraint
			src, err := emit.NewPackage(p).File(f, tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			schema := record.NewSchema("Flight", &record.Type{Kind: record.KindStruct, Fields: []record.Field{
				{Name: "A", Type: &record.Type{Kind: record.KindInt32}}}})
			want := ir.Header + "\n" + strings.Replace(tt.want, "%s", schema.Hex(), 1)
			if !bytes.HasPrefix(src, []byte(want)) {
				t.Errorf("starts with\n%s\nwant\n%s", src[:min(len(src), len(want)+20)], want)
			}
		})
	}
}

// A record without encoded fields, which the frontend for Go refuses, still gives code that compiles.
func TestNoFields(t *testing.T) {
	p, f := pkg(rec("Nothing", 1), rec("Something", 2, ir.Bytes))
	src, err := emit.NewPackage(p).File(f, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	user := sources{"flight.go": "package p\n\ntype Nothing struct{}\n\ntype Something struct{ A []byte }\n"}
	if errs := typeErrors(t, user, sources{"flight_rw.go": string(src)}); len(errs) > 0 {
		t.Errorf("%q\n%s", errs, src)
	}
	if !strings.Contains(string(src), "schema(Nothing)=") {
		t.Error("the head does not tell the schemas of two records apart")
	}
}

// Every file of a package gives the same bytes whichever file is asked for first, and as often as it is asked for.
func TestRepeatable(t *testing.T) {
	p, f := pkg(flight(), rec("Airport", 9, ir.String, ir.Time))
	first, err := emit.NewPackage(p).File(f, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := emit.NewPackage(p).File(f, emit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, again) {
			t.Fatal("two runs differ")
		}
	}
}

// Imports have their own names unless those are taken.
func TestImportNames(t *testing.T) {
	generated := generate(t, sources{
		"p/p.go": "package p\n\nimport (\n" +
			"\tone \"example.com/p/a/model\"\n\ttwo \"example.com/p/b/model\"\n\t\"example.com/p/go-things/v2\"\n" +
			"\tr \"example.com/p/record\"\n)\n\n" +
			"//rwgen:record\ntype R struct {\n\tA []one.T\n\tB *two.T\n\tC map[things.T]r.T\n}\n\n" +
			"func context() {}\n\nfunc writer() {}\n\nvar rwwriter int\n",
		"a/model/m.go":      "package model\n\ntype T struct{ A string }\n",
		"b/model/m.go":      "package model\n\ntype T struct{ B string }\n",
		"go-things/v2/m.go": "package things\n\ntype T int32\n",
		"record/m.go":       "package record\n\ntype T string\n",
	})["p/p_rw.go"]
	_, block, _ := strings.Cut(generated, "import (\n")
	block, _, _ = strings.Cut(block, "\n)")
	want := strings.Join([]string{
		"\tstdcontext \"context\"",
		"\t\"encoding/binary\"",
		"\t\"iter\"",
		"\t\"time\"",
		"",
		"\t\"example.com/p/a/model\"",
		"\tbmodel \"example.com/p/b/model\"",
		"\t\"example.com/p/go-things/v2\"",
		"\tprecord \"example.com/p/record\"",
		"\t\"github.com/rwgen/rwgen/runtime/gate\"",
		"\t\"github.com/rwgen/rwgen/runtime/metrics\"",
		"\t\"github.com/rwgen/rwgen/runtime/record\"",
		"\t\"github.com/rwgen/rwgen/runtime/rwimpl\"",
		"\t\"github.com/rwgen/rwgen/runtime/selector\"",
		"\t\"github.com/rwgen/rwgen/runtime/wire\"",
		"\trwwriter2 \"github.com/rwgen/rwgen/runtime/writer\"",
	}, "\n")
	if block != want {
		t.Errorf("imports:\n%s\nwant\n%s", block, want)
	}
}

// Types that stand twice in the next one, over many levels, give little code, and soon.
func TestManyLevels(t *testing.T) {
	for _, kind := range []ir.Kind{ir.Int32, ir.Bool, ir.String, ir.Bytes} {
		t.Run(kind.String(), func(t *testing.T) {
			r := rec("L0", 1, kind)
			for i := range 26 {
				outer := rec("L"+strconv.Itoa(i+1), 1)
				for _, name := range []string{"A", "B"} {
					outer.Type.Fields = append(outer.Type.Fields, &ir.Field{Name: name, Type: r.Type})
				}
				r = outer
			}
			p, f := pkg(r)
			src, err := emit.NewPackage(p).File(f, emit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(src) > 60_000 {
				t.Errorf("%d bytes of code", len(src))
			}
		})
	}
}

// Code that does not parse is a fault of the generator, and reported with the lines that are to blame rather than all of them.
func TestUnparsable(t *testing.T) {
	p, f := pkg(rec("Bad Name", 1, ir.Int32))
	_, err := emit.NewPackage(p).File(f, emit.Options{})
	if err == nil || !strings.Contains(err.Error(), "fault of rwgen") || !strings.Contains(err.Error(), "Bad Name") {
		t.Fatalf("error %v", err)
	}
	if lines := strings.Count(err.Error(), "\n") + 1; lines < 2 || lines > 8 {
		t.Errorf("%d lines:\n%v", lines, err)
	}
}
