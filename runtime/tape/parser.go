package tape

import (
	"encoding/binary"
	"math"
)

// appendText appends a string and its length.
func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

// parser takes fields from the front of b. Once they do not fit it is bad and yields zeros.
type parser struct {
	b   []byte
	bad bool
}

// done reports whether everything was there and nothing is left.
func (p *parser) done() bool { return !p.bad && len(p.b) == 0 }

func (p *parser) take(n int) []byte {
	if p.bad || n > len(p.b) {
		p.bad = true
		return nil
	}
	b := p.b[:n]
	p.b = p.b[n:]
	return b
}

func (p *parser) u8() byte {
	if b := p.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (p *parser) u32() uint32 {
	if b := p.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// int is a u32 that fits 31 bits.
func (p *parser) int() int {
	n := p.u32()
	if n > math.MaxInt32 {
		p.bad = true
		return 0
	}
	return int(n)
}

func (p *parser) u64() uint64 {
	if b := p.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// zero takes n bytes that must be 0.
func (p *parser) zero(n int) {
	for _, c := range p.take(n) {
		if c != 0 {
			p.bad = true
		}
	}
}

// text takes a length and so many bytes.
func (p *parser) text() string { return string(p.take(p.int())) }
