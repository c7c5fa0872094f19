package emit

import "strings"

// commentWidth is where comments are wrapped, the slashes included.
const commentWidth = 100

// commentLines returns the lines of a comment, slashes included: paragraphs are wrapped and set apart by empty lines. Lines that start with a
// tab or a space are left as they are, as are those of a paragraph that looks like a list.
func commentLines(paragraphs ...string) []string {
	var lines []string
	for _, p := range paragraphs {
		p = strings.Trim(p, "\n")
		if p == "" {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "//")
		}
		for _, line := range wrap(p, commentWidth-len("// ")) {
			switch {
			case line == "":
				lines = append(lines, "//")
			case line[0] == '\t':
				lines = append(lines, "//"+line)
			default:
				lines = append(lines, "// "+line)
			}
		}
	}
	return lines
}

// wrap breaks text into lines of at most width runes where it can. Line breaks of the text count as spaces, except around lines
// that are indented.
func wrap(text string, width int) []string {
	var lines []string
	line, n := "", 0
	flush := func() {
		if line != "" {
			lines = append(lines, line)
		}
		line, n = "", 0
	}
	for source := range strings.Lines(text) {
		source = strings.TrimRight(source, "\n\r")
		if source == "" || source[0] == '\t' || source[0] == ' ' {
			flush()
			lines = append(lines, strings.TrimRight(source, " \t"))
			continue
		}
		for _, word := range strings.Fields(source) {
			size := len([]rune(word))
			if n > 0 && n+1+size > width {
				flush()
			}
			if n > 0 {
				line += " "
				n++
			}
			line += word
			n += size
		}
	}
	flush()
	return lines
}

// firstParagraph returns the first paragraph of a doc comment, unless it is a list, a heading or code.
func firstParagraph(doc string) string {
	doc, _, _ = strings.Cut(strings.TrimSpace(doc), "\n\n")
	if doc == "" || strings.ContainsAny(doc[:1], "#-*\t ") || strings.Contains(doc, "\n\t") {
		return ""
	}
	return doc
}
