package model

import (
	"fmt"
	"go/build"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/layout"
	"github.com/rwgen/rwgen/gen/names"
)

// New returns the model of a package, which must be complete and is only read.
func New(pkg *ir.Package) *Package {
	p := &Package{Name: pkg.Name, Path: pkg.Path, Dir: filepath.Base(pkg.Dir)}
	b := &builder{imports: pkg.Imports, types: make(map[*ir.Type]*Type)}
	for _, path := range slices.Sorted(maps.Keys(pkg.Imports)) {
		p.Imports = append(p.Imports, &Import{Path: path, Name: pkg.Imports[path]})
	}
	for _, f := range pkg.Files { // records of one file can hold types of another
		for _, d := range f.Decls {
			p.Types = append(p.Types, b.declared(d))
		}
	}
	for _, f := range pkg.Files {
		file := &File{Source: f.Source, Output: f.Output, Constraint: f.Constraint, Test: f.Test}
		file.Stem, file.Tail = split(f.Output)
		for _, r := range f.Records {
			file.Records = append(file.Records, b.record(r, f))
		}
		p.Files, p.Records = append(p.Files, file), append(p.Records, file.Records...)
	}
	return p
}

// split returns the parts of the name of a test file that goes with an output: flight_rw_linux.go gives flight and _linux_test.go. The stem of a test's output
// keeps _test, so that it is not that of the file under test.
func split(output string) (stem, tail string) {
	stem, test := strings.CutSuffix(strings.TrimSuffix(output, ".go"), "_test")
	tail = "_test.go"
	if i := strings.LastIndex(stem, "_rw_"); i > 0 && !strings.HasSuffix(stem, "_rw") && constrains(stem[i+len("_rw"):]) {
		stem, tail = stem[:i], stem[i+len("_rw"):]+tail
	}
	if stem = strings.TrimSuffix(stem, "_rw"); test {
		stem += "_test"
	}
	return stem, tail
}

// constrains says that the end of a file's name names systems or architectures: no system that does not exist takes the file.
func constrains(end string) bool {
	ctxt := build.Context{GOOS: "plain", GOARCH: "plain", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	ok, err := ctxt.MatchFile("", "x"+end+".go")
	return err == nil && !ok
}

func (b *builder) declared(d *ir.Decl) *Type {
	t := b.typ(d.Type)
	t.Doc, t.Schema = d.Doc, d.Schema
	for _, c := range d.Constants {
		t.Constants = append(t.Constants, &Constant{Name: c.Name, Symbol: c.Symbol, Value: c.Value, Doc: c.Doc})
	}
	return t
}

func (b *builder) record(r *ir.Record, f *ir.File) *Record {
	n := names.ForRecord(r.Name)
	t := b.typ(r.Type)
	schema := emit.Schema(r)
	m := &Record{
		Name: r.Name, GoType: t.GoType, Type: t, Doc: r.Doc, Source: sourceOf(r, f), Line: r.Pos.Line, Exported: token.IsExported(r.Name),
		Schema: t.Schema, Format: r.Format.String(), Aliases: r.Aliases, Fields: t.Fields,
		Serializer: n.Serializer, Writer: n.Writer.Writer, NewWriter: n.NewWriter, Reader: n.Reader, NewReader: n.NewReader,
		SchemaText: schema.Text, Fingerprint: schema.Hex(), MemorySize: r.Type.GoSize,
	}
	if with := r.With.String(); with != "" {
		m.With = strings.Split(with, ",")
	}
	for _, w := range r.Writers {
		m.Writers = append(m.Writers, writer(r, w))
	}
	if r.Format == ir.Native {
		l := layout.Of(r)
		m.MinSize, m.ConstantSize = l.Least, l.Constant
		for _, s := range l.Sections {
			section := &Section{Title: s.Title, Picture: s.Picture()}
			for i := range s.Rows {
				row := &s.Rows[i]
				section.Rows = append(section.Rows, &Row{
					Field: row.Field, Depth: row.Depth, Position: row.Position(), Bytes: row.Bytes, Encoding: row.Encoding, Why: row.Why,
				})
			}
			m.Layout = append(m.Layout, section)
		}
	} else {
		m.Fields = placeless(t.Fields)
	}
	if m.Unions, m.Codecs, m.Types = special(t); m.Schema == "" && r.Format == ir.Protobuf {
		m.Schema = r.Called
	}
	return m
}

// sourceOf returns the base name of the file that declares a record: one of several if there is a single output.
func sourceOf(r *ir.Record, f *ir.File) string {
	if r.Pos.Filename == "" {
		return f.Source
	}
	return filepath.Base(r.Pos.Filename)
}

// placeless returns fields without their places in the native format.
func placeless(fields []*Field) []*Field {
	list := make([]*Field, len(fields))
	for i, f := range fields {
		c := *f
		c.Encoding, c.Bytes, c.Position, c.Offset = "", "", "", -1
		list[i] = &c
	}
	return list
}

func writer(r *ir.Record, w *ir.Writer) *Writer {
	n := names.ForWriter(r.Name, w.Name)
	m := &Writer{Name: w.Name, Type: n.Writer, Constructor: n.NewWriter, Kind: w.Kind.String(), Choices: w.Choices, Custom: w.Custom}
	for _, k := range w.Keys {
		m.Keys = append(m.Keys, k.String())
	}
	m.Selection = m.Kind
	switch w.Kind {
	case ir.Keyed:
		m.Hash = w.Hash.String()
		m.Selection += "=" + strings.Join(m.Keys, ",")
		if w.Hash != ir.XXH3 {
			m.Selection += " hash=" + m.Hash
		}
		if w.Choices > 0 {
			m.Selection += fmt.Sprint(" choices=", w.Choices)
		}
	case ir.Custom:
		m.Selection += "=" + w.Custom
	}
	if e := w.EventTime; e != nil {
		m.EventTime = &EventTime{Field: e.Field.String(), Unit: e.Unit.String(), Watermark: e.Watermark.String(), Func: e.Func}
		if e.Watermark == ir.Bounded {
			m.EventTime.Bound = e.Bound.String()
		}
		m.Selection += " " + e.String()
	}
	return m
}

// special returns the unions and the types with registered codecs that values of a type can hold, in the order in which they are met.
func special(record *Type) (unions, codecs, declared []*Type) {
	seen := make(map[*Type]bool)
	var visit func(*Type)
	visit = func(t *Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		if t.Kind == "union" && !slices.ContainsFunc(unions, func(u *Type) bool { return u.GoType == t.GoType }) {
			unions = append(unions, t)
		}
		if t.CodecType != nil && !slices.ContainsFunc(codecs, func(c *Type) bool { return c.GoType == t.GoType }) {
			codecs = append(codecs, t)
		}
		if t.Schema != "" && t != record {
			declared = append(declared, t)
		}
		visit(t.Key)
		visit(t.Elem)
		for _, f := range t.Fields {
			visit(f.Type)
		}
		for _, m := range t.Members {
			visit(m)
		}
	}
	visit(record)
	return unions, codecs, declared
}
