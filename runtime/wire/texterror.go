package wire

import "math"

// TextError is [UvarintError] for the result n ≤ 0 of reading a string that may have most bytes from the start of src: a length that is more is [ErrLimit], whether its bytes are there or not.
func TextError(src []byte, n, most int) error {
	if size, m := Uvarint(src); m > 0 && size > uint64(most) {
		return CheckMax(int(min(size, math.MaxInt)), most)
	}
	return UvarintError(n)
}
