// Command vettool runs the analyses that go vet does not have itself; the test of package lint builds it and passes it to go vet, which
// runs it package by package and remembers the results. They are nilness (conditions and dereferences that an earlier nil check
// decides) and unusedwrite (fields written that nothing reads) of x/tools, and our own about state in package-level variables.
package main
