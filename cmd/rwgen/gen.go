package main

import (
	"context"
	"fmt"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
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
	changes := make(map[string]gen.ChangeKind)
	for _, c := range r.Changes() {
		changes[c.Path] = c.Kind
	}
	if !f.dryRun {
		if _, err := r.Write(); err != nil {
			return e.failure(err)
		}
	}
	if !f.dryRun && !f.verbose {
		return exitOK
	}
	verb := "wrote"
	if f.dryRun {
		verb = "would write"
	}
	for _, file := range r.Files {
		path := diag.RelPath(f.dir, file.Path)
		if _, changed := changes[file.Path]; changed {
			fmt.Fprintf(e.stdout, "%s %s\n", verb, path)
		} else if f.verbose {
			fmt.Fprintf(e.stdout, "up to date %s\n", path)
		}
	}
	if f.verbose {
		if len(r.Files) == 0 {
			fmt.Fprintln(e.stdout, "no records: mark a struct with //rwgen:record, or name it with -type")
		}
		for _, path := range r.Orphans {
			fmt.Fprintf(e.stdout, "orphaned %s\n", diag.RelPath(f.dir, path))
		}
	}
	return exitOK
}
