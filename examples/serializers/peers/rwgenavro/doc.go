// Package rwgenavro holds the codec of this project for Avro's binary encoding: code that is generated from the schemas in the package schemas, which are those that the peers for Avro have.
package rwgenavro
