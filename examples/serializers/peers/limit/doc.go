// Package limit is what one can write by hand for the four shapes, with unsafe and with formats that suit one record each: numbers first
// and in one piece, all texts of a record together at its end, so that one check of the length and one allocation are enough; lines,
// tags, map and address of the value are reused. Input of any bytes gives an error at worst, as with generated code. It is no
// serializer that one would want to maintain: it shows what is to be had.
package limit
