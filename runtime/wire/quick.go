package wire

// The functions whose names begin with Quick are the first part of those that read strings, made to be inlined: short strings, of which records have many, are read without
// a call. They read at src[i], where i is not negative, and return 0 for n where they do not know, because the length takes more bytes, is none, or leads behind the end. Then the
// function that they belong to reads src[i:] and knows.

// QuickSpan is the first part of [Span], for lengths of one byte.
func QuickSpan(src []byte, i int) (p []byte, n int) {
	if i < len(src) {
		n = int(src[i])
		i++
		if n < 0x80 && n <= len(src)-i {
			return src[i : i+n], n + 1
		}
	}
	return nil, 0
}

// Quick is the first part of [Copies.String], for lengths of one byte and strings that lie in the stretch that was copied last. src is as for String.
func (c *Copies) Quick(src []byte, i int) (s string, n int) {
	i += c.start - cap(src) // in the stretch, which is never longer than src
	if uint(i) < uint(len(c.text)) {
		n = int(c.text[i])
		i++
		if n < 0x80 && n <= len(c.text)-i {
			return c.text[i : i+n], n + 1
		}
	}
	return "", 0
}

// QuickBytes is the first part of [ViewBytes], for lengths of one and two bytes. Nil, too, it leaves to the second.
func QuickBytes(src []byte, i int) (p []byte, n int) {
	if i < len(src) {
		m := int(src[i])
		i++
		if m >= 0x80 {
			if i >= len(src) || src[i]-1 >= 0x7f {
				return
			}
			m += int(src[i])<<7 - 0x80
			i++
			n++
		}
		if m--; uint(m) <= uint(len(src)-i) {
			return src[i : i+m : i+m], n + m + 1
		}
	}
	return nil, 0
}

// ViewText reads a string from the start of src as [Span] does, without copying it: s is as of [ViewString].
func ViewText(src []byte) (s string, n int) {
	p, n := Span(src)
	return ViewString(p), n
}
