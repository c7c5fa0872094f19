package main

import (
	"context"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/lock"
)

// runBreaking is the verb breaking.
func runBreaking(ctx context.Context, e *environment, args []string) int {
	f, code := e.parse("breaking", args)
	if f == nil {
		return code
	}
	r, code := e.inspect(ctx, "breaking", f)
	if code != exitOK {
		return code
	}
	var found diag.List
	all, err := modules(r, f)
	if err != nil {
		return e.failure(err)
	}
	for _, m := range all {
		if m.root == "" {
			return e.failure(errNoModule)
		}
		var old []lock.Entry
		var faults diag.List
		if f.against == "lock" {
			src, err := m.readLock()
			switch {
			case err != nil:
				return e.failure(err)
			case src == nil:
				return e.usage("there is no %s to compare with: write one with %s, or name a revision with -against, such as HEAD",
					diag.RelPath(f.dir, m.lockPath), f.command("lock"))
			}
			var file *lock.File
			if file, faults = lock.Parse(m.lockPath, src); file != nil {
				old = file.Entries
			}
		} else {
			var err error
			if old, faults, err = m.revision(ctx, e.env, f.against); err != nil {
				return e.failure(err)
			}
		}
		if len(faults) > 0 {
			return e.findings(f, faults, exitInput)
		}
		found = append(found, lock.Breaking(m.concerned(old), m.records, f.mode)...)
	}
	if len(found) > 0 {
		found.Sort()
		return e.findings(f, found, exitDiffers)
	}
	return exitOK
}
