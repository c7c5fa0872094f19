package layout

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// width is how wide a picture may be, in characters.
const width = 100

// String returns the layout for people: what a record takes, a picture of each section, and a table with a row for each field.
func (l *Layout) String() string {
	var b strings.Builder
	more := ""
	if !l.Constant {
		more = " or more"
	}
	fmt.Fprintf(&b, "%s takes %d%s bytes, and %d in memory\n", l.Name, l.Least, more, l.Memory)
	for i, s := range l.Sections {
		if i > 0 {
			fmt.Fprintf(&b, "\n%s\n", s.Title)
		}
		b.WriteByte('\n')
		b.WriteString(s.Picture())
		b.WriteByte('\n')
		b.WriteString(s.Table())
	}
	return b.String()
}

// cell is one box of a picture.
type cell struct{ offset, name, bytes string }

func (c cell) width() int {
	return max(utf8.RuneCountInString(c.offset)+1, utf8.RuneCountInString(c.name), utf8.RuneCountInString(c.bytes)) + 2
}

// Picture returns the section as a row of boxes, broken where it would be too wide, with offsets above them as far as they are
// constant, and the numbers of bytes within. The fields of structs are shown, not the structs; of a union only the tag and its value.
func (s *Section) Picture() string {
	var cells []cell
	for i, r := range s.Rows {
		if r.bit || r.nested || r.constant && r.least == 0 {
			continue
		}
		if r.After == "tag" && i > 0 && s.Rows[0].Field == "tag" {
			cells = append(cells, cell{name: "value", bytes: "by tag"})
			break
		}
		c := cell{name: r.Field, bytes: r.Bytes}
		if r.After == "" {
			c.offset = fmt.Sprint(r.Offset)
		}
		cells = append(cells, c)
	}
	var b strings.Builder
	for len(cells) > 0 {
		n, total := 0, 1
		for n < len(cells) && (n == 0 || total+cells[n].width()+1 <= width) {
			total += cells[n].width() + 1
			n++
		}
		boxes(&b, cells[:n])
		cells = cells[n:]
	}
	return b.String()
}

func boxes(b *strings.Builder, cells []cell) {
	line := func(first, between, last string, text func(c cell) string) {
		b.WriteString(first)
		for i, c := range cells {
			if i > 0 {
				b.WriteString(between)
			}
			b.WriteString(text(c))
		}
		b.WriteString(last)
		b.WriteByte('\n')
	}
	fill := func(c cell) string { return strings.Repeat("─", c.width()) }
	var offsets strings.Builder
	for _, c := range cells {
		offsets.WriteString(pad(c.offset, c.width()+1))
	}
	if s := strings.TrimRight(offsets.String(), " "); s != "" {
		b.WriteString(s + "\n")
	}
	line("┌", "┬", "┐", fill)
	line("│", "│", "│", func(c cell) string { return " " + pad(c.name, c.width()-1) })
	line("│", "│", "│", func(c cell) string { return " " + pad(c.bytes, c.width()-1) })
	line("└", "┴", "┘", fill)
}

// Table returns a line for each row of the section: field, position, bytes, encoding, reason.
func (s *Section) Table() string {
	lines := [][]string{{"field", "offset", "bytes", "encoding", "why"}}
	for _, r := range s.Rows {
		lines = append(lines, []string{strings.Repeat("  ", r.Depth) + r.Field, r.Position(), r.Bytes, r.Encoding, r.Why})
	}
	widths := make([]int, len(lines[0]))
	for _, l := range lines {
		for i, text := range l {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	var b strings.Builder
	for _, l := range lines {
		var line strings.Builder
		for i, text := range l {
			line.WriteString(pad(text, widths[i]+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}
