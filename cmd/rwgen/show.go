package main

import (
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/layout"
)

// runShow is the verb show.
func runShow(ctx context.Context, e *environment, args []string) int {
	f, code := e.parse("show", args)
	if f == nil {
		return code
	}
	r, code := e.inspect(ctx, "show", f)
	if code != exitOK {
		return code
	}
	first := true
	for s := range r.Schemas() {
		if len(f.types) > 0 && !slices.Contains(f.types, s.Record.Name) && !slices.Contains(f.types, s.GoType()) {
			continue
		}
		if !first {
			fmt.Fprintln(e.stdout)
		}
		first = false
		pos := s.Record.Pos
		fmt.Fprintf(e.stdout, "%s.%s\n", s.Package.Path, s.Record.Name)
		fmt.Fprintf(e.stdout, "declared at %s:%d:%d, generated to %s\n",
			diag.RelPath(f.dir, pos.Filename), pos.Line, pos.Column, diag.RelPath(f.dir, s.Path()))
		fmt.Fprintf(e.stdout, "schema %s %s\n\n", s.Schema.Hex(), s.Schema.Text)
		fmt.Fprint(e.stdout, layout.Of(s.Record))
		fmt.Fprintf(e.stdout, "\nas rwgen sees it:\n%s", dump(s))
	}
	if missing := unknownTypes(f.types, r); len(missing) > 0 {
		return e.findings(f, missing, exitInput)
	}
	if first {
		fmt.Fprintf(e.stderr, "rwgen: %s\n", f.noRecords())
	}
	return exitOK
}

// unknownTypes reports the names that are those of no record.
func unknownTypes(names []string, r *gen.Result) diag.List {
	var diags diag.List
	var known []string
	for s := range r.Schemas() {
		known = append(known, s.Record.Name, s.GoType())
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			diags.Addf(token.Position{}, diag.Record, "there is no record %s", name).Hint = diag.Nearest(name, known)
		}
	}
	return diags
}

// noRecords says what to do where there are no records.
func (f *flags) noRecords() string {
	packages := len(f.schemas.files) == 0 || len(f.patterns) > 0
	if f.config != nil {
		packages = len(f.config.Options.Patterns) > 0
	}
	if !packages {
		return "no records: the schemas have none"
	}
	return "no records: mark a struct with //rwgen:record, or name it with -type"
}

// dump returns the part of [ir.Dump] that is about one record.
func dump(s gen.Schema) string {
	file := *s.File
	file.Records = []*ir.Record{s.Record}
	text := ir.Dump(&ir.Package{Path: s.Package.Path, Name: s.Package.Name, Files: []*ir.File{&file}})
	lines := strings.SplitAfter(text, "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "\t\trecord ") })
	for j := range lines {
		lines[j] = strings.TrimPrefix(lines[j], "\t")
	}
	return strings.Join(lines[max(i, 0):], "")
}
