package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/rwgen/rwgen/cmd/rwgen/internal/unified"
	"github.com/rwgen/rwgen/gen"
)

// runDiff is the verb diff.
func runDiff(ctx context.Context, e *environment, args []string) int {
	f, code := e.parse("diff", args)
	if f == nil {
		return code
	}
	r, code := e.generate(ctx, f)
	if code != exitOK {
		return code
	}
	code = exitOK
	for _, c := range r.Changes() {
		path := slashPath(f.dir, c.Path)
		from, to := "a/"+path, "b/"+path
		var old, fresh []byte
		if c.Kind == gen.Orphaned {
			if !f.clean {
				continue
			}
			content, err := os.ReadFile(c.Path)
			if err != nil {
				return e.failure(err)
			}
			old, to = content, unified.DevNull
		} else {
			file := r.Files[slices.IndexFunc(r.Files, func(file gen.File) bool { return file.Path == c.Path })]
			old, fresh = file.Old, file.Content
			if c.Kind == gen.Missing {
				from = unified.DevNull
			}
		}
		// Line ends are no difference.
		old = bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n"))
		if d := unified.Diff(from, to, old, fresh); d != "" {
			fmt.Fprint(e.stdout, d)
			code = exitDiffers
		}
	}
	return code
}
