package lock

import (
	"bytes"
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/runtime/record"
)

// Name is the name of the file.
const Name = "rwgen.lock"

// The categories of diagnostics of this package.
const (
	Damaged      = "lock"     // a lock file that is not as it should be
	Incompatible = "breaking" // a change that keeps data from being read
)

const (
	firstWords = "# rwgen.lock, version "
	firstLine  = firstWords + "1: package, record, fingerprint and schema of each record; rwgen lock writes it, commit it."
)

// Entry is one line: a record and its schema.
type Entry struct {
	Package string // path below the module, "." for its root
	Record  string
	Schema  record.Schema
	// Pos is where the entry was read from, without a file name if that is nowhere.
	Pos token.Position
}

// key is what an entry is about.
type key struct{ pkg, record string }

func (e Entry) key() key { return key{e.Package, e.Record} }

// String returns the line without its end.
func (e Entry) String() string {
	return fmt.Sprintf("%s %s %s %s", e.Package, e.Record, e.Schema.Hex(), e.Schema.Text)
}

func compare(a, b Entry) int {
	return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Record, b.Record))
}

// File is the content of a lock file.
type File struct {
	// Path is the name of the file, for positions.
	Path string
	// Entries are sorted by package and record, which are unique.
	Entries []Entry
}

// Bytes returns the text of the file.
func (f *File) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString(firstLine + "\n")
	for _, e := range f.Entries {
		b.WriteString(e.String() + "\n")
	}
	return b.Bytes()
}

// Update replaces the entries for which replaced returns true by others, which it sorts in.
func (f *File) Update(replaced func(Entry) bool, by []Entry) {
	f.Entries = slices.Concat(slices.DeleteFunc(slices.Clone(f.Entries), replaced), by)
	slices.SortStableFunc(f.Entries, compare)
}

// Change is a difference between two states of a lock.
type Change struct {
	// Old is nil for a record that is new, New for one that is gone. Otherwise both are there, and their schemas differ.
	Old, New *Entry
}

// String says what has changed: "shop.Order has another schema".
func (c Change) String() string {
	name := func(e *Entry) string {
		if e.Package == "." {
			return e.Record
		}
		return e.Package + "." + e.Record
	}
	switch {
	case c.Old == nil:
		return name(c.New) + " is not in it"
	case c.New == nil:
		return name(c.Old) + " is gone from the code"
	}
	return name(c.New) + " has another schema"
}

// Changes returns how a lock differs from an earlier state, sorted by package and record.
func Changes(old, now []Entry) []Change {
	var changes []Change
	was := make(map[key]*Entry)
	for i := range old {
		was[old[i].key()] = &old[i]
	}
	for i := range now {
		e := &now[i]
		o := was[e.key()]
		delete(was, e.key())
		if o == nil || o.Schema.Text != e.Schema.Text || o.Schema.Fingerprint != e.Schema.Fingerprint { // how readers treat other versions is no part of a lock
			changes = append(changes, Change{Old: o, New: e})
		}
	}
	for _, o := range was {
		changes = append(changes, Change{Old: o})
	}
	slices.SortFunc(changes, func(a, b Change) int { return compare(*cmp.Or(a.New, a.Old), *cmp.Or(b.New, b.Old)) })
	return changes
}
