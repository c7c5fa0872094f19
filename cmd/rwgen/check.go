package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
)

// runCheck is the verb check.
func runCheck(ctx context.Context, e *environment, args []string) int {
	f, code := e.parse("check", args)
	if f == nil {
		return code
	}
	r, code := e.generate(ctx, f)
	if code != exitOK {
		return code
	}
	changes := r.Changes()
	if len(changes) == 0 {
		if f.verbose {
			for _, file := range r.Files {
				fmt.Fprintf(e.stdout, "up to date %s\n", diag.RelPath(f.dir, file.Path))
			}
		}
		return exitOK
	}
	regenerate := false
	var orphans []string
	for _, c := range changes {
		path := diag.RelPath(f.dir, c.Path)
		fmt.Fprintf(e.stdout, "%s: %s\n", path, c.Kind)
		if c.Kind == gen.Orphaned {
			orphans = append(orphans, quote(path))
		} else {
			regenerate = true
		}
	}
	if regenerate {
		fmt.Fprintf(e.stderr, "rwgen: to bring them up to date, run go generate, or: %s\n", f.command("gen"))
	}
	if len(orphans) > 0 {
		fmt.Fprintf(e.stderr, "rwgen: orphaned files are of no use any more; remove them: rm %s\n", strings.Join(orphans, " "))
	}
	return exitDiffers
}
