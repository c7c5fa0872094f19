package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/lock"
)

// module is a module with packages that a run is about.
type module struct {
	root     string // the directory of go.mod, or, if there is none, of the configuration; "" without that
	lockPath string // absolute
	packages map[string]bool
	records  []lock.Record
	// unknown holds the records of sources that are not part of this build or of this run, by their committed output: nothing can be said about them.
	unknown map[string]bool
}

// modules returns the modules of the packages that the patterns of a run match, and of those that its schemas go to, sorted by root. A lock that is named is one of a single module.
func modules(r *gen.Result, f *flags) ([]*module, error) {
	byRoot := make(map[string]*module)
	roots := make(map[string]string)
	of := func(dir string) (*module, string) {
		root, ok := roots[dir]
		if !ok {
			if root = moduleRoot(dir); root == "" && f.config != nil {
				root = f.config.Options.Dir
			}
			roots[dir] = root
		}
		m := byRoot[root]
		if m == nil {
			m = &module{root: root, lockPath: cmp.Or(f.lock, filepath.Join(root, lock.Name)), packages: make(map[string]bool), unknown: make(map[string]bool)}
			byRoot[root] = m
		}
		return m, m.path(dir)
	}
	for _, dir := range r.Dirs {
		m, pkg := of(dir)
		m.packages[pkg] = true
	}
	for s := range r.Schemas() {
		if s.File.Test {
			continue
		}
		m, pkg := of(s.Package.Dir)
		m.records = append(m.records, lock.Record{
			Entry: lock.Entry{Package: pkg, Record: s.Record.Name, Schema: s.Schema}, IR: s.Record, Type: s.Type,
		})
	}
	for _, path := range slices.Concat(r.Unloaded, foreign(r.Dirs, f)) {
		m, pkg := of(filepath.Dir(path))
		if content, err := os.ReadFile(path); err == nil {
			for _, e := range lock.Extract(pkg, content) {
				m.unknown[pkg+" "+e.Record] = true
			}
		}
	}
	var all []*module
	for _, m := range byRoot {
		slices.SortFunc(m.records, func(a, b lock.Record) int {
			return strings.Compare(a.Package+" "+a.Record, b.Package+" "+b.Record)
		})
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *module) int { return strings.Compare(a.root, b.root) })
	if f.lock != "" && len(all) > 1 {
		return nil, fmt.Errorf("one lock, %s, for the records of %d modules, in %s and %s: each has its own if none is named", diag.RelPath(f.dir, f.lock), len(all), all[0].root, all[1].root)
	}
	return all, nil
}

// foreign returns the output in dirs that is not this run's affair: that of schemas if it is about packages alone, and that of packages if it is about schemas alone.
func foreign(dirs []string, f *flags) []string {
	schemas, packages := len(f.schemas.files) > 0, len(f.schemas.files) == 0 || len(f.patterns) > 0
	if f.config != nil {
		schemas, packages = true, len(f.config.Options.Patterns) > 0 // what is left of a schema that the configuration had is its affair too
	}
	if schemas && packages {
		return nil
	}
	var found []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // it is about to be made
		}
		for _, entry := range entries {
			if !strings.HasSuffix(entry.Name(), "_rw.go") {
				continue
			}
			path := filepath.Join(dir, entry.Name())
			content, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			if source := sourceOf(content); source != "" && strings.HasSuffix(source, ".go") != packages {
				found = append(found, path)
			}
		}
	}
	return found
}

// sourceOf returns what a file says that it was made from, "" if it does not.
func sourceOf(content []byte) string {
	for line := range strings.Lines(string(content)) {
		if source, ok := strings.CutPrefix(strings.TrimSpace(line), "// Source: "); ok {
			return source
		}
		if strings.HasPrefix(line, "package ") {
			break
		}
	}
	return ""
}

// moduleRoot returns the directory of the go.mod that a directory belongs to, "" if there is none.
func moduleRoot(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && !info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// path returns the path of a package as locks have it.
func (m *module) path(dir string) string {
	if rel, err := filepath.Rel(m.root, dir); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(dir)
}

// readLock returns the content of the lock, nil if there is none.
func (m *module) readLock() ([]byte, error) {
	src, err := os.ReadFile(m.lockPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if src == nil && err == nil {
		src = []byte{}
	}
	return src, err
}

// entries returns what a lock has to say about the records, apart from those that are unknown.
func (m *module) entries() []lock.Entry {
	entries := make([]lock.Entry, len(m.records))
	for i, r := range m.records {
		entries[i] = r.Entry
	}
	return entries
}

// covers reports whether the run knows what has become of the record of an entry: its package is one of those that the patterns match, or
// does not exist any more, and its source is part of this build.
func (m *module) covers(e lock.Entry) bool {
	if m.unknown[e.Package+" "+e.Record] {
		return slices.ContainsFunc(m.records, func(r lock.Record) bool { return r.Package == e.Package && r.Record == e.Record })
	}
	return m.packages[e.Package] || !hasGo(filepath.Join(m.root, filepath.FromSlash(e.Package)))
}

// hasGo reports whether a directory has Go files.
func hasGo(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".go") })
}

// concerned returns the entries that the run covers.
func (m *module) concerned(entries []lock.Entry) []lock.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e lock.Entry) bool { return !m.covers(e) })
}
