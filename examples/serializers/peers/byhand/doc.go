// Package byhand is what one can write by hand, with unsafe, for the bytes of rwgen and with all that its generated code promises: the limits, presence bits and duplicate
// keys are checked, elements beyond the length of a slice start from zero, pointers get new memory, and no string keeps more than 1 KiB beside itself. So the difference to
// package limit is what format and promises cost, and the difference to generated code is what a generator costs that does not know what is usual.
//
// What is usual is decided here for the records of these shapes: strings of orders and of small records that are shorter than 128 bytes, and records of at most 1 KiB with many of them. All
// else, errors included, is left to the generated code.
package byhand
