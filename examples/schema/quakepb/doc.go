// Package quakepb has the messages that protoc-gen-go makes of quake.proto, and writers and a reader for them.
package quakepb

// Event is what rwgen calls the message: the directive cannot stand in the file that protoc-gen-go writes.
//
//rwgen:record format=protobuf
//rwgen:writer ByNet key=Net
type Event = Quake
