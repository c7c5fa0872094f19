// Package sample is the shape of sixteen-byte records: two words, so that what is measured is the way of a record and not its encoding.
//
// Its rows.go is the original of those in the packages of the other shapes; go generate copies it. It is written for one type, as by hand,
// and refers to what each package defines for its own: the type Record with its writers ByKey and ToAll, a pool and a source of records, hash,
// weigh, and the functions that put records into blocks and take them out again.
package sample
