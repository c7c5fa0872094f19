// Package pb holds the messages of both protobuf peers.
package pb

//go:generate go run ../../../internal/protogen records.proto
