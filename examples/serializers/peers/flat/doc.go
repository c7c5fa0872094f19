// Package flat holds the codecs of FlatBuffers. Tables are built and read with the calls to its Go runtime that flatc generates, written by
// hand, because there is no generator in Go. All fields are read, into the record of the shape; slices, the map and the address of the value are reused. The
// runtime checks nothing: on other bytes than those of a builder it panics.
package flat
