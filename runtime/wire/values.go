package wire

// StringLen returns how many bytes s takes on the wire, with its length.
func StringLen(s string) int { return UvarintLen(uint64(len(s))) + len(s) }

// Span reads a string from the start of src. It returns the bytes of the string, which are part of src, and how many bytes the string
// took with its length. n is 0 if src ends within the string and negative if its length is no uvarint; [UvarintError] makes
// n an error.
func Span(src []byte) (p []byte, n int) {
	if len(src) > 0 && src[0] < 0x80 && int(src[0]) < len(src) {
		n = 1 + int(src[0])
		return src[1:n], n
	}
	if len(src) > 1 && src[0] >= 0x80 && src[1]-1 < 0x7f { // two bytes, the last of which is not 0
		if n = 2 + int(src[0]&0x7f) + int(src[1])<<7; n <= len(src) {
			return src[2:n], n
		}
	}
	size, n := Uvarint(src)
	if n <= 0 {
		return nil, n
	}
	if size > uint64(len(src)-n) {
		return nil, 0
	}
	end := n + int(size)
	return src[n:end], end
}

// BytesLen returns how many bytes p takes on the wire, with its length.
func BytesLen(p []byte) int { return CountLen(len(p), p == nil) + len(p) }

// PutBytes writes p with its length to the start of dst, nil as nil, and returns how many bytes it took, or 0 if it does not fit
// into len(dst).
func PutBytes(dst, p []byte) int {
	if n := len(p) + 1; n>>7 != 0 && n < 1<<14 && n < len(dst) {
		dst[0], dst[1] = byte(n)|0x80, byte(n>>7)
		return 2 + copy(dst[2:], p)
	}
	n := PutCount(dst, len(p), p == nil)
	if n == 0 || len(p) > len(dst)-n {
		return 0
	}
	return n + copy(dst[n:], p)
}

// Bytes reads a byte slice from the start of src into the memory of old, or into new memory if that is too small, and returns it and how
// many bytes it took with its length. n ≤ 0 is as for [Span]. Nil comes back as nil, and empty as empty.
func Bytes[S ~[]byte](src []byte, old S) (p S, n int) {
	count, n := Uvarint(src)
	if n <= 0 || count == 0 {
		return nil, n
	}
	if count-1 > uint64(len(src)-n) {
		return nil, 0
	}
	end := n + int(count-1)
	if old == nil {
		old = S{}
	}
	return append(old[:0], src[n:end]...), end
}

// CountLen returns how many bytes the length of a slice or map of n elements takes on the wire.
func CountLen(n int, isNil bool) int {
	if isNil {
		return 1
	}
	return UvarintLen(uint64(n) + 1)
}

// PutCount writes the length of a slice or map of n elements to the start of dst and returns how many bytes it took, or 0 if it does
// not fit into len(dst).
func PutCount(dst []byte, n int, isNil bool) int {
	count := uint64(n) + 1
	if isNil {
		count = 0
	}
	return PutUvarint(dst, count)
}
