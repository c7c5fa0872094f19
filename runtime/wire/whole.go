package wire

// PutWhole returns what a serializer's Put returns for a record that is all of b, which a method of users has appended to dst[:0] or made elsewhere; err is the error of the method. b is copied to the start of
// dst unless it is there. The error is [ErrShort] if it does not fit into len(dst) bytes, and otherwise as of [CodecError].
func PutWhole(dst, b []byte, err error) (int, error) {
	switch {
	case err != nil:
		return 0, CodecError(err)
	case len(b) > len(dst):
		return 0, ErrShort
	case len(b) > 0 && &b[0] != &dst[0]:
		copy(dst, b)
	}
	return len(b), nil
}

// PutBackwards is PutWhole for a record that a method of users has written to the end of dst: its last n bytes. It moves them to the start of dst if they are not all of it.
func PutBackwards(dst []byte, n int, err error) (int, error) {
	switch {
	case err != nil:
		return 0, CodecError(err)
	case n < 0 || n > len(dst):
		return 0, ErrShort
	case n < len(dst):
		copy(dst, dst[len(dst)-n:])
	}
	return n, nil
}
