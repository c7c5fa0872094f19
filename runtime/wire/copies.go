package wire

// The sizes of the stretches that a [Copies] takes, in bytes.
const (
	firstStretch = 128
	maxStretch   = 1024
)

// Copies hands out copies of the strings of one record. It copies the record in stretches of up to 1 KiB, of which the strings are parts: so a record takes one
// allocation or a few, however its strings are nested. A string that is longer is a stretch of its own. A string that does not fit at the end of a stretch
// begins the next one, and all end where src ends, so that together they are never more than twice that. Keeping a string keeps the memory of its stretch.
//
// A src of at most 1 KiB is taken for one record, and copied at once. Of a longer one the first stretch is 128 bytes, and each one at most double the one before, so that
// little is copied in vain where src goes on behind the record.
//
// Every slice that is given to a Copies must be a part of src up to the end of its capacity, as src[i:] is: its capacity tells where it begins. They must come in
// the order of src.
type Copies struct {
	text  string // a copy of a stretch
	start int    // what was the capacity at the start of the stretch
	end   int    // what is the capacity at the end of src
	next  int    // bytes that the next stretch has, if src has as many
}

// NewCopies returns a Copies for the record at the start of src, which may be longer than the record. Nothing is allocated before the first byte of a string is taken.
func NewCopies(src []byte) Copies {
	next := firstStretch
	if len(src) <= maxStretch {
		next = maxStretch
	}
	return Copies{start: cap(src), end: cap(src) - len(src), next: next}
}

// String reads a string from the start of src, which is a part of what the Copies was made for. It returns a copy of the string and how many bytes the string
// took with its length. n ≤ 0 is as for [Span].
func (c *Copies) String(src []byte) (s string, n int) {
	if len(src) > 0 && src[0] < 0x80 && int(src[0]) < len(src) {
		n = int(src[0]) + 1
		start := c.start - cap(src)
		if end := start + n; end <= len(c.text) {
			return c.text[start+1 : end], n
		}
	}
	return c.read(src)
}

// read is String for what its first lines leave: longer strings, and those that are not in the stretch.
//
//go:noinline
func (c *Copies) read(src []byte) (string, int) {
	p, n := Span(src)
	if n <= 0 {
		return "", n
	}
	return c.Take(p), n
}

// Take returns a copy of p, which is a part of what the Copies was made for.
func (c *Copies) Take(p []byte) string {
	if len(p) == 0 {
		return ""
	}
	start := c.start - cap(p)
	if end := start + len(p); end <= len(c.text) {
		return c.text[start:end]
	}
	size := max(len(p), min(cap(p)-c.end, c.next))
	c.next = min(2*c.next, maxStretch)
	c.start = cap(p)
	c.text = string(p[:size])
	return c.text[:len(p)]
}
