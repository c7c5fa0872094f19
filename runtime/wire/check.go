package wire

import (
	"fmt"
	"unicode/utf8"
)

// ErrUTF8 says that a string of a field tagged utf8 is no valid UTF-8, in a record to be written or in the source.
// errors.Is(ErrUTF8, ErrCorrupt) is true.
var ErrUTF8 error = &kindError{"wire: invalid UTF-8", ErrCorrupt}

// CheckMax returns an error that is [ErrLimit] if n is more than most. Both count the bytes of a string or []byte, or the elements of a slice or map.
func CheckMax(n, most int) error {
	if n <= most {
		return nil
	}
	return maxError(n, most)
}

//go:noinline
func maxError(n, most int) error {
	return fmt.Errorf("length %d, but max=%d: %w", n, most, ErrLimit)
}

// CheckUTF8 returns an error that is [ErrUTF8] with the index of the first wrong byte if s is not valid UTF-8. It does not allocate otherwise.
func CheckUTF8[T string | []byte](s T) error {
	switch s := any(s).(type) {
	case string:
		if !utf8.ValidString(s) {
			return utf8Error(s)
		}
	case []byte:
		if !utf8.Valid(s) {
			return utf8Error(string(s))
		}
	}
	return nil
}

//go:noinline
func utf8Error(s string) error {
	for i, r := range s {
		if r != utf8.RuneError {
			continue
		}
		if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
			return fmt.Errorf("byte %#02x at index %d: %w", s[i], i, ErrUTF8)
		}
	}
	return ErrUTF8
}
