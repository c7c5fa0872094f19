// Package loopback moves records over TCP on the loopback interface, both ends in one process, in the ways that Go programs do without rwgen: over one
// connection by hand, over a connection for each partition, over yamux, and over gRPC. All rows have one producer.
//
// What is done for each record is in the packages of the shapes, see [Records]; here is what is done for blocks, buffers and messages.
package loopback
