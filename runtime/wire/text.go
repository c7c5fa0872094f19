package wire

import "strings"

// Text copies several strings into one allocation. All of them share it: keeping one keeps the memory of all.
// A Text must not be copied after its first [Text.Take].
type Text struct {
	n int
	b strings.Builder
}

// NewText returns a Text for strings of n bytes together. Nothing is allocated before the first byte is taken.
func NewText(n int) Text { return Text{n: n} }

// Take returns a copy of p. The copies of a Text made with [NewText] stay in one allocation as long as they are no more
// than n bytes together; further ones are as good, but cost one more.
func (t *Text) Take(p []byte) string {
	if len(p) == 0 {
		return ""
	}
	start := t.b.Len()
	if start == 0 {
		t.b.Grow(max(t.n, len(p)))
	}
	t.b.Write(p)
	return t.b.String()[start:]
}
