// Package proto reads Protobuf schemas, as .proto files and as descriptor sets of protoc and buf, into the representation of records. gen/DESIGN.md says what becomes of each type.
package proto
