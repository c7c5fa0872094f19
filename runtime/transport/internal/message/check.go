package message

import (
	"fmt"
	"unicode/utf8"
)

// checker finds what a peer would refuse in a message that is not written yet. Fields are said in the order of the body.
type checker struct {
	t    Type
	size int // of the body so far, in bytes
	err  error
}

func (c *checker) fail(field, format string, args ...any) {
	if c.err == nil {
		c.err = &Error{Type: c.t, Offset: HeaderBytes + c.size, Field: field, Reason: fmt.Sprintf(format, args...)}
	}
}

// skip is for fields that are always right.
func (c *checker) skip(n int) { c.size += n }

// name is for a text of 1 to MaxName bytes.
func (c *checker) name(field, s string) {
	if n := len(s); n == 0 || n > MaxName {
		c.fail(field, "has %d bytes, may have 1 to %d", n, MaxName)
	}
	c.text(field, s)
}

// text is for a text whose length is a u16.
func (c *checker) text(field, s string) {
	c.valid(field, s)
	c.short(field, len(s))
}

// long is for a text whose length is a u32; what is too much for it is too much for the message.
func (c *checker) long(field, s string) {
	c.valid(field, s)
	c.skip(4 + len(s))
}

// short is for bytes whose length is a u16.
func (c *checker) short(field string, n int) {
	if n > maxText {
		c.fail(field, "has %d bytes, may have %d", n, maxText)
	}
	c.skip(2 + n)
}

func (c *checker) valid(field, s string) {
	if !utf8.ValidString(s) {
		c.fail(field, "is no UTF-8")
	}
}

// done returns the first error, which may be that the message is too long.
func (c *checker) done() error {
	if most := rules[c.t].most; c.err == nil && uint64(c.size) > uint64(most) {
		c.err = &Error{Type: c.t, Offset: offsetLength, Field: "length", Reason: fmt.Sprintf("is %d, the limit is %d", c.size, most)}
	}
	return c.err
}
