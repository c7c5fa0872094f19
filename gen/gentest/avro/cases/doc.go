// Package cases has records of every type of Avro in its binary encoding, generated from the schemas beside it, for the tests of package avro.
package cases
