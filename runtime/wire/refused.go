package wire

// FieldRefused is [FieldError] for writing: it adds the name of a struct field to the error of a value that cannot be written. [ErrShort] and [ErrDepth]
// are about the whole record and stay as they are.
func FieldRefused(field string, offset int, err error) error {
	if whole(err) {
		return err
	}
	return FieldError(field, offset, err)
}

// IndexRefused is FieldRefused for the element of that index.
func IndexRefused(index, offset int, err error) error {
	if whole(err) {
		return err
	}
	return IndexError(index, offset, err)
}

// WithinRefused is [Within] for writing.
func WithinRefused(offset int, err error) error {
	if whole(err) {
		return err
	}
	return Within(offset, err)
}

// whole compares errors rather than asking what they wrap: the error of a user's method may wrap one of ours.
func whole(err error) bool { return err == ErrShort || err == ErrDepth }
