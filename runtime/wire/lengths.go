package wire

import "math"

// CheckCount returns an error that is [ErrLimit] if the length of a slice or map at the start of src is more than most. A length that cannot be read is no
// error here: reading the slice or map says what is wrong with it. Generated code calls it before memory is taken.
func CheckCount(src []byte, most int) error {
	count, n := Uvarint(src)
	if n <= 0 || count <= uint64(most)+1 {
		return nil
	}
	return CheckMax(int(min(count-1, math.MaxInt)), most)
}

// ViewBytes is [Bytes] without copying: p shares the memory of src, without capacity beyond its length.
func ViewBytes(src []byte) (p []byte, n int) {
	if len(src) > 1 && src[0] >= 0x80 && src[1]-1 < 0x7f { // a length of two bytes, the last of which is not 0
		if n = 1 + int(src[0]&0x7f) + int(src[1])<<7; n <= len(src) {
			return View(src[2:n]), n
		}
	}
	count, n := Uvarint(src)
	if n <= 0 || count == 0 {
		return nil, n
	}
	if count-1 > uint64(len(src)-n) {
		return nil, 0
	}
	end := n + int(count-1)
	return View(src[n:end]), end
}
