package unified

import (
	"fmt"
	"slices"
	"strings"
)

// context is the number of equal lines around a change.
const context = 3

// DevNull is the name of a file that is not there, on either side.
const DevNull = "/dev/null"

// op is a line of a diff: ' ' in both texts, '-' in the first, '+' in the second.
type op struct {
	kind byte
	text string
}

// Diff returns the changes that make b of a, under the names of both, or "" if they are equal. Lines are compared byte by byte.
func Diff(nameA, nameB string, a, b []byte) string {
	ops := script(split(a), split(b))
	var out strings.Builder
	lineA, lineB := 1, 1 // of ops[i]
	for i := 0; i < len(ops); {
		if ops[i].kind == ' ' {
			i, lineA, lineB = i+1, lineA+1, lineB+1
			continue
		}
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", nameA, nameB)
		}
		start := max(0, i-context)
		end := hunkEnd(ops, i)
		startA, startB := lineA-(i-start), lineB-(i-start)
		lineA, lineB = startA, startB
		for _, o := range ops[start:end] {
			if o.kind != '+' {
				lineA++
			}
			if o.kind != '-' {
				lineB++
			}
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(startA, lineA-startA), span(startB, lineB-startB))
		for _, o := range ops[start:end] {
			out.WriteByte(o.kind)
			out.WriteString(o.text)
			if !strings.HasSuffix(o.text, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
		i = end
	}
	return out.String()
}

// hunkEnd returns the end of the hunk whose first change is at i: the context behind the last change that is near enough to the one
// before for their contexts to touch.
func hunkEnd(ops []op, i int) int {
	last := i
	for j := i; j < len(ops) && j <= last+2*context+1; j++ {
		if ops[j].kind != ' ' {
			last = j
		}
	}
	return min(len(ops), last+context+1)
}

// span returns the lines of a hunk as its head has them.
func span(start, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", start-1)
	case 1:
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, n)
}

// split cuts a text behind its line ends.
func split(text []byte) []string {
	return slices.Collect(strings.Lines(string(text)))
}

// script returns the lines of both texts, in order, with what happens to each.
func script(a, b []string) []op {
	var ops []op
	i, j := 0, 0
	for _, p := range append(match(a, b), pair{len(a), len(b)}) {
		for ; i < p.a; i++ {
			ops = append(ops, op{'-', a[i]})
		}
		for ; j < p.b; j++ {
			ops = append(ops, op{'+', b[j]})
		}
		if i < len(a) && j < len(b) {
			ops = append(ops, op{' ', a[i]})
			i, j = i+1, j+1
		}
	}
	return ops
}
