package avro

import "math"

// Longs reads len(s) longs from the start of src into s. It returns how many it has read, which are fewer if one of them is no long, and how many bytes these took. Then [LongFault] says what is wrong with the next one.
func Longs[E ~int64](s []E, src []byte) (read, n int) {
	for i := range s {
		if n < len(src) && src[n] < 0x80 {
			s[i] = E(int64(src[n]>>1) ^ -int64(src[n]&1))
			n++
			continue
		}
		u, m := uvarint(src[n:])
		if m <= 0 {
			return i, n
		}
		s[i] = E(int64(u>>1) ^ -int64(u&1))
		n += m
	}
	return len(s), n
}

// LongFault returns the error for the number at the start of src, which [Longs] has not read.
func LongFault(src []byte) error {
	_, n := Long(src)
	return NumberError(n)
}

// Ints is [Longs] for ints; [IntFault] has the error.
func Ints[E ~int32](s []E, src []byte) (read, n int) {
	for i := range s {
		if n < len(src) && src[n] < 0x80 {
			s[i] = E(int32(src[n]>>1) ^ -int32(src[n]&1))
			n++
			continue
		}
		u, m := uvarint(src[n:])
		if m <= 0 || u > math.MaxUint32 {
			return i, n
		}
		s[i] = E(int32(u>>1) ^ -int32(u&1))
		n += m
	}
	return len(s), n
}

// IntFault returns the error for the number at the start of src, which [Ints] has not read.
func IntFault(src []byte) error {
	_, n := Int(src)
	return NumberError(n)
}
