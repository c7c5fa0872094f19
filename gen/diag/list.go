package diag

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"
)

// List is a collection of diagnostics. It is an error, for functions that return their findings as one; an empty list is no
// error, so return [List.Err] rather than the list.
type List []*Diagnostic

// Addf appends a diagnostic and returns it, for the caller to add a hint or related positions.
func (l *List) Addf(pos token.Position, category, format string, args ...any) *Diagnostic {
	d := &Diagnostic{Pos: pos, Category: category, Message: fmt.Sprintf(format, args...)}
	*l = append(*l, d)
	return d
}

// Sort orders the list by file, line, column, category and message, and removes diagnostics that say the same at the same place.
// Diagnostics without a position come last.
func (l *List) Sort() {
	slices.SortStableFunc(*l, compare)
	*l = slices.CompactFunc(*l, func(a, b *Diagnostic) bool { return compare(a, b) == 0 })
}

func compare(a, b *Diagnostic) int {
	switch {
	case a.Pos.Filename == "" && b.Pos.Filename != "":
		return 1
	case a.Pos.Filename != "" && b.Pos.Filename == "":
		return -1
	}
	return cmp.Or(
		strings.Compare(a.Pos.Filename, b.Pos.Filename),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		strings.Compare(a.Category, b.Category),
		strings.Compare(a.Message, b.Message),
	)
}

// Err returns the list as an error, nil if it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// Error returns the diagnostics one per line, without hints.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, d := range l {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Write prints the diagnostics as [Diagnostic.Format] renders them, each with a final newline.
func (l List) Write(w io.Writer, dir string) error {
	for _, d := range l {
		if _, err := fmt.Fprintln(w, d.Format(dir)); err != nil {
			return err
		}
	}
	return nil
}
