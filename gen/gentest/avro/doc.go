// Package avro holds schemas of every type of Avro's specification with the code that is generated from them, in the package cases, and tests that the two belong together.
package avro
