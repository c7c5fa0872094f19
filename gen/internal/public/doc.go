// Package public tests the generator on types of well-known public modules: for each it generates code, compiles it and round-trips random values, or
// gets the diagnostic that is right for the type.
//
// The modules, pinned in testdata/go.mod.txt, are no dependencies of rwgen: they are required by a module in a temporary directory. That needs the network unless they were
// downloaded before, so the test runs on request only:
//
//	RWGEN_PUBLIC=1 go test ./gen/internal/public -v -timeout 30m
package public
