package schema

import (
	"regexp"
	"strings"
	"unicode"
)

// directive is how a comment could be taken for a directive, or for one with a space too many.
var directive = regexp.MustCompile(`\brwgen:(\w)`)

// Doc returns the documentation in a schema as text of a Go comment: without what a Go source must not contain, and without what could be taken for a directive.
func Doc(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\ufeff' || r == '\u2028' || r == '\u2029' || unicode.IsControl(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return directive.ReplaceAllString(strings.TrimSpace(strings.Join(lines, "\n")), "rwgen: $1")
}

// TypeDoc is [Doc] for a type that is called name in Go. As Go wants it, what begins with an article is made a sentence about the name: "An earthquake." becomes "Quake is an
// earthquake." Other texts stay as they are.
func TypeDoc(name, text string) string {
	text = Doc(text)
	for _, article := range []string{"A ", "An ", "The "} {
		if rest, ok := strings.CutPrefix(text, article); ok {
			return name + " is " + strings.ToLower(article) + rest
		}
	}
	return text
}
