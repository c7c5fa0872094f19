package main

import (
	"context"
	"fmt"
	"go/token"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/lock"
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
	locks, diags, err := checkLocks(r, f)
	switch {
	case err != nil:
		return e.failure(err)
	case len(diags) > 0:
		return e.findings(f, diags, exitInput)
	}
	if len(changes)+len(locks) == 0 {
		if f.verbose && f.format == formatText {
			for _, file := range r.Files {
				fmt.Fprintf(e.stdout, "up to date %s\n", diag.RelPath(f.dir, file.Path))
			}
		}
		return exitOK
	}
	if f.format != formatText {
		return e.findings(f, differences(f, changes, locks), exitDiffers)
	}
	e.list(f, changes, locks)
	return exitDiffers
}

// staleLock is a lock that does not say what the code says.
type staleLock struct {
	path    string
	changes []lock.Change
}

// checkLocks compares the locks of all modules, where there are any, with the code.
func checkLocks(r *gen.Result, f *flags) (stale []staleLock, diags diag.List, err error) {
	all, err := modules(r, f)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range all {
		if m.root == "" {
			continue
		}
		src, err := m.readLock()
		if err != nil {
			return nil, nil, err
		}
		if src == nil {
			continue
		}
		file, faults := lock.Parse(m.lockPath, src)
		if diags = append(diags, faults...); file == nil {
			continue
		}
		if changes := lock.Changes(m.concerned(file.Entries), m.entries()); len(changes) > 0 {
			stale = append(stale, staleLock{file.Path, changes})
		}
	}
	return stale, diags, nil
}

// list prints what is not up to date on standard output, and what to do about it on standard error.
func (e *environment) list(f *flags, changes []gen.Change, locks []staleLock) {
	regenerate := false
	var orphans, edited []string
	for _, c := range changes {
		path := diag.RelPath(f.dir, c.Path)
		fmt.Fprintf(e.stdout, "%s: %s\n", path, c)
		switch c.Kind {
		case gen.Orphaned:
			orphans = append(orphans, quote(path))
		case gen.Edited:
			edited = append(edited, path)
			regenerate = true
		default:
			regenerate = true
		}
	}
	for _, l := range locks {
		fmt.Fprintf(e.stdout, "%s: %s\n", diag.RelPath(f.dir, l.path), gen.Stale)
		for _, c := range l.changes {
			fmt.Fprintf(e.stderr, "rwgen: %s: %s\n", diag.RelPath(f.dir, l.path), c)
		}
	}
	if len(edited) > 0 {
		fmt.Fprintf(e.stderr, "rwgen: generated files are not for editing, gen replaces them; rwgen diff shows what would be lost in: %s\n",
			strings.Join(edited, " "))
	}
	if regenerate {
		fmt.Fprintf(e.stderr, "rwgen: to bring them up to date, run go generate, or: %s\n", f.command("gen"))
	}
	if len(orphans) > 0 {
		fmt.Fprintf(e.stderr, "rwgen: orphaned files are of no use any more; remove them: rm %s\n", strings.Join(orphans, " "))
	}
	if len(locks) > 0 {
		fmt.Fprintf(e.stderr, "rwgen: to see what the change of a schema breaks, run %s; to accept it, %s\n", f.command("breaking"), f.command("lock"))
	}
}

// differences returns what is not up to date as diagnostics, for programs.
func differences(f *flags, changes []gen.Change, locks []staleLock) diag.List {
	var diags diag.List
	for _, c := range changes {
		d := diags.Addf(token.Position{Filename: c.Path}, c.Kind.String(), "%s", map[gen.ChangeKind]string{
			gen.Stale:    "the file is not what rwgen would generate now",
			gen.Missing:  "the file has not been generated",
			gen.Orphaned: "the file would not be generated any more",
			gen.Edited:   "the file has been changed by hand since it was generated",
		}[c.Kind])
		if c.Reason != "" {
			d.Message += ": " + c.Reason
		}
		if d.Hint = "run go generate, or " + f.command("gen"); c.Kind == gen.Orphaned {
			d.Hint = "remove it"
		}
	}
	for _, l := range locks {
		for _, c := range l.changes {
			diags.Addf(token.Position{Filename: l.path}, gen.Stale.String(), "%s", c).Hint = f.command("lock")
		}
	}
	return diags
}
