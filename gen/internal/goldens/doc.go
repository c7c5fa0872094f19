// Package goldens holds record packages with their generated code, a family of types each. The test of this package generates the code
// again and compares it byte for byte; the tests of the families run it against the reflective serializer. Being ordinary packages of the
// module, they are compiled, vetted, and run under the race detector with everything else.
//
// To accept changes of the generator:
//
//	go test ./gen/internal/goldens -update
package goldens
