package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/lock"
)

// errNoModule says that there is no place for a lock.
var errNoModule = errors.New("there is no go.mod beside which rwgen.lock could stand: go mod init makes one")

// runLock is the verb lock.
func runLock(ctx context.Context, e *environment, args []string) int {
	f, code := e.parse("lock", args)
	if f == nil {
		return code
	}
	r, code := e.inspect(ctx, "lock", f)
	if code != exitOK {
		return code
	}
	var diags diag.List
	var files []lockFile
	all, err := modules(r, f)
	if err != nil {
		return e.failure(err)
	}
	for _, m := range all {
		if m.root == "" {
			return e.failure(errNoModule)
		}
		file, faults, err := m.relock()
		if err != nil {
			return e.failure(err)
		}
		diags = append(diags, faults...)
		files = append(files, file)
	}
	if len(diags) > 0 {
		return e.findings(f, diags, exitInput)
	}
	for _, file := range files {
		if err := e.writeLock(f, file); err != nil {
			return e.failure(err)
		}
	}
	return exitOK
}

// lockFile is a lock as it is and as it should be.
type lockFile struct {
	path       string
	old, fresh []byte // nil for a file that is not there, or not needed
	changes    []lock.Change
}

// relock returns the lock of a module with the lines for the records of today.
func (m *module) relock() (lockFile, diag.List, error) {
	src, err := m.readLock()
	if err != nil {
		return lockFile{}, nil, err
	}
	file := &lock.File{Path: m.lockPath}
	if src != nil {
		var faults diag.List
		if file, faults = lock.Merge(m.lockPath, src); file == nil {
			return lockFile{}, faults, nil
		}
	}
	out := lockFile{path: file.Path, old: src, changes: lock.Changes(m.concerned(file.Entries), m.entries())}
	file.Update(m.covers, m.entries())
	if src != nil || len(file.Entries) > 0 {
		out.fresh = file.Bytes()
	}
	return out, file.Ambiguous(), nil
}

// writeLock writes a lock if it differs, and prints what the flags ask for.
func (e *environment) writeLock(f *flags, file lockFile) error {
	path := diag.RelPath(f.dir, file.path)
	if bytes.Equal(bytes.ReplaceAll(file.old, []byte("\r\n"), []byte("\n")), file.fresh) {
		if f.verbose && file.fresh != nil {
			fmt.Fprintf(e.stdout, "up to date %s\n", path)
		}
		return nil
	}
	verb := "would write"
	if !f.dryRun {
		verb = "wrote"
		if err := replaceFile(file.path, file.fresh); err != nil {
			return err
		}
	}
	if f.dryRun || f.verbose {
		fmt.Fprintf(e.stdout, "%s %s\n", verb, path)
		for _, c := range file.changes {
			fmt.Fprintf(e.stdout, "\t%s\n", c)
		}
	}
	return nil
}

// replaceFile writes a file under a temporary name and renames it.
func replaceFile(path string, content []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".rwgen-*.tmp")
	if err != nil {
		return err
	}
	_, err = temp.Write(content)
	err = cmp.Or(err, temp.Chmod(0o644))
	err = cmp.Or(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}
