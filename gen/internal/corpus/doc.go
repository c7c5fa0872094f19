// Package corpus tests the generator on schema files that well-known public modules ship: for each of about 120 Avro and 400 Protobuf files it generates types and code, compiles
// them and round-trips random values, or gets the diagnostic that is right for the file. testdata/refused.txt says which files get one. What was found in them and matters is a case of our own in the tests
// of the frontends.
//
// The modules, pinned in testdata/modules.txt, are no dependencies of rwgen and are never compiled: they are only downloaded. That needs the network unless they
// were downloaded before, so the test runs on request only:
//
//	RWGEN_PUBLIC=1 go test ./gen/internal/corpus -v -timeout 60m
package corpus
