// Package harness is what the codecs of all peers share: the pool of records that each keeps in its own types, the loops that are measured, and
// what a row says about itself.
package harness
