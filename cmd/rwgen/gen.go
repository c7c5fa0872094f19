package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/layout"
)

// runGen is the verb gen.
func runGen(ctx context.Context, e *environment, args []string) int {
	f, code := e.parse("gen", args)
	if f == nil {
		return code
	}
	r, code := e.generate(ctx, f)
	if code != exitOK {
		return code
	}
	if len(r.Clashes) > 0 && !f.clean {
		return e.findings(f, r.Clashes, exitInput)
	}
	if f.toStdout {
		if _, err := e.stdout.Write(archive(f.dir, r.Files)); err != nil {
			return e.failure(err)
		}
		return exitOK
	}
	changes := make(map[string]gen.ChangeKind)
	for _, c := range r.Changes() {
		changes[c.Path] = c.Kind
	}
	if !f.dryRun {
		if _, err := r.Write(); err != nil {
			return e.failure(err)
		}
	}
	if f.depfile != "" {
		if err := f.writeDepfile(r); err != nil {
			return e.failure(err)
		}
	}
	e.tell(f, r, changes)
	return exitOK
}

// tell prints what has been done. That edits by hand are gone is said in any case.
func (e *environment) tell(f *flags, r *gen.Result, changes map[string]gen.ChangeKind) {
	wrote, removed := "wrote", "removed"
	if f.dryRun {
		wrote, removed = "would write", "would remove"
	}
	for _, file := range r.Files {
		path := diag.RelPath(f.dir, file.Path)
		kind, changed := changes[file.Path]
		switch {
		case changed && (f.dryRun || f.verbose):
			fmt.Fprintf(e.stdout, "%s %s\n", wrote, path)
		case !changed && f.verbose:
			fmt.Fprintf(e.stdout, "up to date %s\n", path)
		}
		if changed && kind == gen.Edited && !f.dryRun {
			fmt.Fprintf(e.stderr, "rwgen: %s had been edited by hand; it is as generated again\n", path)
		}
		if f.verbose {
			e.explain(r, file)
		}
	}
	e.tellUnloaded(f, r)
	if f.verbose && len(r.Files) == 0 {
		fmt.Fprintln(e.stdout, f.noRecords())
	}
	for _, path := range r.Orphans {
		switch {
		case f.clean && (f.dryRun || f.verbose):
			fmt.Fprintf(e.stdout, "%s %s\n", removed, diag.RelPath(f.dir, path))
		case f.verbose:
			fmt.Fprintf(e.stdout, "orphaned %s\n", diag.RelPath(f.dir, path))
		}
	}
}

// tellUnloaded says which earlier output is left alone because its source is not part of this build: in any case if a platform in the
// environment, which is easy to overlook, may be why nothing is generated.
func (e *environment) tellUnloaded(f *flags, r *gen.Result) {
	if f.verbose {
		for _, path := range r.Unloaded {
			fmt.Fprintf(e.stdout, "not in this build %s\n", diag.RelPath(f.dir, path))
		}
	}
	if len(r.Files) > 0 || len(r.Unloaded) == 0 {
		return
	}
	for _, v := range []struct{ name, host string }{{"GOOS", runtime.GOOS}, {"GOARCH", runtime.GOARCH}} {
		if value := e.getenv(v.name); value != "" && value != v.host {
			fmt.Fprintf(e.stderr, "rwgen: nothing is generated, because the sources are not part of a build for %s=%s: unset %s\n", v.name, value, v.name)
		}
	}
}

// explain prints why each field of the records in a file is encoded as it is.
func (e *environment) explain(r *gen.Result, file gen.File) {
	for s := range r.Schemas() {
		if s.Path() != file.Path {
			continue
		}
		for _, section := range layout.Of(s.Record).Sections {
			for _, row := range section.Rows {
				fmt.Fprintf(e.stdout, "\t%s: %s: %s: %s\n", section.Name(row), row.Bytes, row.Encoding, row.Why)
			}
		}
	}
}
