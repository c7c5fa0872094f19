// Package random makes up packages of record types, for tests of the generator on types that nobody thought of.
//
// [Sources] returns a package with everything that a record may hold, as a function of a seed:
//
//	for name, content := range random.Sources(42, "example.com/random/s42") {
//		… write it …
//	}
//
// The test of this package generates code for many of them, compiles and vets it in one go, and round-trips random values against the
// reflective serializer. Seeds that have failed stand in testdata/seeds and come first.
//
//	go test ./gen/internal/random                                a few fixed seeds
//	RWGEN_RANDOM=2000 go test -timeout 0 ./gen/internal/random   so many seeds that were never tried; those that fail are added to testdata/seeds
//	RWGEN_RANDOM=1@77 go test ./gen/internal/random              one seed from 77 on
//
// A failure is worth more as a small case in the corpus of gen/gentest: seeds lose their meaning when this package changes.
package random
