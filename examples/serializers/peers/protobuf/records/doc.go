// Package records has messages of the protobuf peers as records: what travels is plain Protobuf, made and read by the methods of vtprotobuf.
package records
