// Package pb holds the messages of the gRPC peers.
package pb

//go:generate go run ../protogen records.proto
