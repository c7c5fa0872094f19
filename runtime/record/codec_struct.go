package record

import "github.com/rwgen/rwgen/runtime/wire"

// structCodec is the codec of structs: presence bits, then the fields that are more than a bit.
type structCodec struct {
	bits      []bitField // pointers and bools, in order: field k is bit k
	presence  int        // bytes of presence bits
	parts     []part     // everything but bools, in order
	recursive bool       // the struct can contain itself: a level of depth
}

// bitField is a field with a presence bit.
type bitField struct {
	offset uintptr
	isBool bool
}

// part is a field, or a run of neighbouring fields whose bytes are their memory.
type part struct {
	*plan  // of the field; of what it points to, if it is a pointer
	offset uintptr
	name   string // empty for a run, whose errors name the field
	bit    int    // number of the presence bit of a pointer, else −1
}

// in adds the name of the part to an error of its codec at index i.
func (f *part) in(i int, err error) error {
	if f.name == "" || err == wire.ErrShort { // fast paths run into ErrShort: it must not allocate
		return err
	}
	return wire.FieldError(f.name, offsetOf(i, err), err)
}

func (c *structCodec) size(p ptr, total int64, depth int) int64 {
	if c.recursive {
		if depth <= 0 {
			return -1 - total
		}
		depth--
	}
	total += int64(c.presence)
	for k := range c.parts {
		if ended(total) {
			return total
		}
		f := &c.parts[k]
		q := at(p, f.offset)
		if f.bit >= 0 {
			if q = *(*ptr)(q); q == nil {
				continue
			}
		}
		total = f.size(q, total, depth)
	}
	return total
}

func (c *structCodec) put(dst []byte, i int, p ptr, depth int) (int, error) {
	if c.recursive {
		if depth <= 0 {
			return i, errDepth
		}
		depth--
	}
	if c.presence > 0 {
		if len(dst)-i < c.presence {
			return i, wire.ErrShort
		}
		bits := dst[i : i+c.presence]
		clear(bits)
		for k, f := range c.bits {
			q := at(p, f.offset)
			if f.isBool && *(*bool)(q) || !f.isBool && *(*ptr)(q) != nil {
				bits[k/8] |= 1 << (k % 8)
			}
		}
		i += c.presence
	}
	for k := range c.parts {
		f := &c.parts[k]
		q := at(p, f.offset)
		if f.bit >= 0 {
			if q = *(*ptr)(q); q == nil {
				continue
			}
		}
		j, err := f.put(dst, i, q, depth)
		if err != nil {
			return i, f.in(j, err)
		}
		i = j
	}
	return i, nil
}

func (c *structCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	if c.recursive {
		if err := b.Enter(); err != nil {
			return i, err
		}
	}
	if len(src)-i < c.presence {
		return i, wire.ErrTruncated
	}
	bits := src[i : i+c.presence]
	if n := len(c.bits) % 8; n != 0 && bits[len(bits)-1]>>n != 0 {
		return i, &wire.PresenceError{Bits: bits[len(bits)-1], Fields: n}
	}
	for k, f := range c.bits {
		if f.isBool {
			*(*bool)(at(p, f.offset)) = bits[k/8]>>(k%8)&1 == 1
		}
	}
	i += c.presence
	for k := range c.parts {
		f := &c.parts[k]
		q := at(p, f.offset)
		var j int
		var err error
		switch {
		case f.bit < 0:
			j, err = f.get(src, i, q, b)
		case bits[f.bit/8]>>(f.bit%8)&1 == 0:
			*(*ptr)(q) = nil
			continue
		default:
			j, err = getPointed(f.plan, src, i, q, b)
		}
		if err != nil {
			return i, f.in(j, err)
		}
		i = j
	}
	if c.recursive {
		b.Leave() // after an error the budget is not used again
	}
	return i, nil
}
