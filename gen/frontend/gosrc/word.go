package gosrc

import (
	"go/token"
	"strings"
	"unicode"
)

// word is one word of a directive.
type word struct {
	text   string
	column int // offset in the text
	pos    token.Position
	at     token.Pos // the same; none for the word of a flag
}

// part returns the word's text from i to j as a word of its own.
func (w word) part(i, j int) word {
	p := word{text: w.text[i:j], column: w.column + i, pos: w.pos, at: w.at}
	if p.pos.Column > 0 {
		p.pos.Column += i
	}
	if p.at.IsValid() {
		p.at += token.Pos(i)
	}
	return p
}

// split cuts a text at its spaces.
func split(text string) []word { return splitFunc(text, func(rune) int { return 0 }) }

// splitNested cuts a text at spaces that are not within brackets of any kind.
func splitNested(text string) []word { return splitFunc(text, nesting) }

// nesting returns what a character adds to the depth of brackets.
func nesting(r rune) int {
	switch r {
	case '(', '[', '{':
		return 1
	case ')', ']', '}':
		return -1
	}
	return 0
}

func splitFunc(text string, nesting func(rune) int) []word {
	var words []word
	start, depth := -1, 0
	for i, r := range text + " " {
		switch space := unicode.IsSpace(r); {
		case !space && start < 0:
			start = i
		case space && start >= 0 && (depth == 0 || i == len(text)):
			words = append(words, word{text: strings.TrimRightFunc(text[start:i], unicode.IsSpace), column: start})
			start = -1
		}
		depth = max(0, depth+nesting(r))
	}
	return words
}

// list cuts a word at commas that are not within brackets. An empty part after the last comma stands at that comma: there is nothing
// behind it that a position could name.
func (w word) list() []word {
	var parts []word
	start, depth := 0, 0
	for i, r := range w.text {
		if r == ',' && depth == 0 {
			parts = append(parts, w.part(start, i))
			start = i + 1
		}
		depth = max(0, depth+nesting(r))
	}
	if start > 0 && start == len(w.text) {
		last := w.part(start-1, start)
		last.text = ""
		return append(parts, last)
	}
	return append(parts, w.part(start, len(w.text)))
}
