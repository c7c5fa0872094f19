package lock

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/runtime/record"
)

// Parse reads a lock file. What is wrong with it is returned as diagnostics with the positions; the file is nil then. Lines may end as on
// Windows.
func Parse(name string, src []byte) (*File, diag.List) {
	p := parse(name, src)
	if len(p.conflicts) > 0 {
		p.diags = nil // echoes of the markers
		p.diags.Addf(p.conflicts[0], Damaged, "conflict markers of a merge").
			Hint = "rwgen lock, which takes what the code says; rwgen breaking compares that with a revision"
	} else {
		p.checkOrder()
	}
	if len(p.diags) > 0 {
		return nil, p.diags
	}
	return &File{Path: name, Entries: p.entries}, nil
}

// Merge reads a lock file as version control may have left it: with conflict markers, lines in any order, and lines twice. The entries
// of all sides are in the result, sorted. There may be several for one record, with different schemas: [File.Ambiguous] names those that
// an update has not replaced. Other faults are diagnostics.
func Merge(name string, src []byte) (*File, diag.List) {
	p := parse(name, src)
	if len(p.diags) > 0 {
		return nil, p.diags
	}
	slices.SortStableFunc(p.entries, compare)
	p.entries = slices.CompactFunc(p.entries, func(a, b Entry) bool { return a.key() == b.key() && a.Schema == b.Schema })
	return &File{Path: name, Entries: p.entries}, nil
}

// Ambiguous reports the records for which the file has several schemas. A file that is written must have none.
func (f *File) Ambiguous() diag.List {
	var diags diag.List
	for i := 1; i < len(f.Entries); i++ {
		a, b := &f.Entries[i-1], &f.Entries[i]
		if a.key() != b.key() {
			continue
		}
		d := diags.Addf(b.Pos, Damaged, "two schemas of %s in %s", b.Record, b.Package)
		d.Hint = "run rwgen lock for that package as well, for example with ./..."
		d.Related = []diag.Related{{Pos: a.Pos, Message: "the other one"}}
	}
	return diags
}

type reader struct {
	name      string
	entries   []Entry
	conflicts []token.Position
	diags     diag.List
}

func parse(name string, src []byte) *reader {
	p := &reader{name: name}
	n := 0
	for line := range bytes.Lines(src) {
		n++
		text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		switch {
		case strings.HasPrefix(text, "<<<<<<<") || strings.HasPrefix(text, "=======") ||
			strings.HasPrefix(text, ">>>>>>>") || strings.HasPrefix(text, "|||||||"):
			p.conflicts = append(p.conflicts, token.Position{Filename: name, Line: n, Column: 1})
		case strings.HasPrefix(text, firstWords) && (n == 1 || len(p.conflicts) > 0):
			p.first(n, text)
		case n == 1:
			p.fault(n, 1, "this is no lock file: the first line does not begin with %q", firstWords+"1").
				Hint = "remove it, and run rwgen lock ./..."
			return p
		default:
			p.line(n, text)
		}
	}
	if n == 0 {
		p.fault(1, 1, "the file is empty: not even its first line is there").Hint = "rwgen lock ./..."
	}
	return p
}

func (p *reader) fault(line, column int, format string, args ...any) *diag.Diagnostic {
	return p.diags.Addf(token.Position{Filename: p.name, Line: line, Column: column}, Damaged, format, args...)
}

func (p *reader) first(n int, text string) {
	version, _, _ := strings.Cut(text[len(firstWords):], ":")
	switch {
	case version != "1":
		p.fault(n, len(firstWords)+1, "the version %q of the lock file is not known to this rwgen, only 1", version).
			Hint = "a newer rwgen: go get -tool github.com/rwgen/rwgen/cmd/rwgen@latest"
	case text != firstLine:
		p.fault(n, 1, "the first line differs from %q", firstLine)
	}
}

// line parses the line of a record.
func (p *reader) line(n int, text string) {
	words := strings.SplitN(text, " ", 4)
	if len(words) < 4 {
		p.fault(n, 1, "a line has a package, a record, a fingerprint and a schema, separated by single spaces")
		return
	}
	column := func(word int) int {
		c := 1
		for _, w := range words[:word] {
			c += len(w) + 1
		}
		return c
	}
	e := Entry{Package: words[0], Record: words[1], Schema: record.Schema{Text: words[3]}, Pos: token.Position{Filename: p.name, Line: n, Column: 1}}
	if !packagePath(e.Package) {
		p.fault(n, 1, "%q is no path of a package below the module", e.Package)
		return
	}
	if !token.IsIdentifier(e.Record) {
		p.fault(n, column(1), "%q is no name of a record", e.Record)
		return
	}
	fingerprint, err := strconv.ParseUint(words[2], 16, 64)
	if e.Schema.Fingerprint = fingerprint; err != nil || e.Schema.Hex() != words[2] {
		p.fault(n, column(2), "%q is no fingerprint: it has 16 lower-case hex digits", words[2])
		return
	}
	if err := record.CheckSchema(e.Schema.Text); err != nil {
		p.fault(n, column(3), "the schema: %v", err)
		return
	}
	if want := Fingerprint(e.Schema.Text); want != e.Schema.Fingerprint {
		p.fault(n, column(2), "the fingerprint of the schema is %016x", want).
			Hint = "undo the change of this line, or remove it and run rwgen lock"
		return
	}
	p.entries = append(p.entries, e)
}

// Fingerprint returns the fingerprint of a schema text, as runtime/wire/FORMAT.md has it.
func Fingerprint(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:8])
}

// packagePath reports whether s is a clean slash-separated path that stays below the module.
func packagePath(s string) bool {
	return s != "" && path.Clean(s) == s && !path.IsAbs(s) && s != ".." && !strings.HasPrefix(s, "../") && !strings.ContainsAny(s, "\t\\")
}

// checkOrder reports lines that stand in the wrong place or twice.
func (p *reader) checkOrder() {
	for i := 1; i < len(p.entries); i++ {
		a, b := &p.entries[i-1], &p.entries[i]
		switch c := compare(*a, *b); {
		case c == 0:
			d := p.fault(b.Pos.Line, 1, "%s in %s is there twice", b.Record, b.Package)
			d.Hint = "rwgen lock"
			d.Related = []diag.Related{{Pos: a.Pos, Message: "the first time"}}
		case c > 0:
			p.fault(b.Pos.Line, 1, "%s in %s stands in the wrong place: lines are sorted by package and record", b.Record, b.Package).
				Hint = "rwgen lock"
		}
	}
}
