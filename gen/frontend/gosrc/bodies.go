package gosrc

import (
	"bytes"
	"unicode/utf8"
)

// blankBodies returns a source in which the bodies of functions that begin at the start of a line are blank, every other character being where it
// was. The parser takes half of its time for what is in them, and this looks at each character once. A source that it does not understand is
// returned as it is.
func blankBodies(src []byte) []byte {
	s := bodyScanner{src: src}
	out := src
	for s.pos < len(src) {
		if s.depth == 0 && s.lineStart() && s.keyword("func") {
			open := s.bodyStart()
			if open < 0 {
				continue
			}
			s.pos = open
			if !s.block() {
				return src
			}
			if len(out) > 0 && &out[0] == &src[0] {
				out = bytes.Clone(src)
			}
			blank(out[open+1 : s.pos-1])
			continue
		}
		if !s.token() {
			return src
		}
	}
	return out
}

// blank replaces all characters but the ends of lines.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// bodyScanner reads a Go source as far as brackets, literals and comments go.
type bodyScanner struct {
	src   []byte
	pos   int
	depth int // of brackets
}

func (s *bodyScanner) lineStart() bool { return s.pos == 0 || s.src[s.pos-1] == '\n' }

// keyword reports whether a word stands at the position.
func (s *bodyScanner) keyword(word string) bool {
	rest := s.src[s.pos:]
	return bytes.HasPrefix(rest, []byte(word)) && (len(rest) == len(word) || !wordByte(rest[len(word)]))
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// token moves past a literal, a comment, a word, or one other character. It returns false for what has no end.
func (s *bodyScanner) token() bool {
	switch c := s.src[s.pos]; c {
	case '"', '\'':
		return s.quoted(c)
	case '`':
		return s.until("`", 1)
	case '/':
		switch rest := s.src[s.pos:]; {
		case bytes.HasPrefix(rest, []byte("//")):
			if !s.until("\n", 2) {
				s.pos = len(s.src)
			} else {
				s.pos-- // the end of the line ends a declaration as well
			}
			return true
		case bytes.HasPrefix(rest, []byte("/*")):
			return s.until("*/", 2)
		}
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		if s.depth--; s.depth < 0 {
			return false
		}
	default:
		if wordByte(c) {
			for s.pos < len(s.src) && wordByte(s.src[s.pos]) {
				s.pos++
			}
			return true
		}
	}
	s.pos++
	return true
}

// quoted moves past an interpreted string or a rune.
func (s *bodyScanner) quoted(quote byte) bool {
	for i := s.pos + 1; i < len(s.src); i++ {
		switch s.src[i] {
		case '\\':
			i++
		case quote:
			s.pos = i + 1
			return true
		case '\n':
			return false
		}
	}
	return false
}

// until moves past the next end that comes after skip characters.
func (s *bodyScanner) until(end string, skip int) bool {
	i := bytes.Index(s.src[s.pos+skip:], []byte(end))
	if i < 0 {
		return false
	}
	s.pos += skip + i + len(end)
	return true
}

// block moves past the block whose opening brace is at the position.
func (s *bodyScanner) block() bool {
	depth := s.depth
	for s.pos < len(s.src) {
		if !s.token() {
			return false
		}
		if s.depth == depth {
			return true
		}
	}
	return false
}

// bodyStart returns where the body of the function declaration at the position begins, -1 for one without body, and moves past what comes
// before. Braces in its signature are those of types.
func (s *bodyScanner) bodyStart() int {
	last := ""
	for s.pos < len(s.src) {
		from := s.pos
		c := s.src[from]
		switch {
		case s.depth == 0 && c == '\n':
			return -1
		case s.depth == 0 && c == '{' && last != "struct" && last != "interface":
			return from
		case s.depth == 0 && c == '{':
			if !s.block() {
				return -1
			}
			last = ""
			continue
		}
		if !s.token() {
			return -1
		}
		if text := string(s.src[from:s.pos]); text != " " && text != "\t" && c != '/' {
			last = text
		}
	}
	return -1
}
