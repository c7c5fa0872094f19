// Package records holds the record that the benchmarks move: two words, sixteen bytes, so that what is measured is the way of a record
// and not its encoding.
package records
