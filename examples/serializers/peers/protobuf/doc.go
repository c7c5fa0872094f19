// Package protobuf holds the codecs of the official module and of vtprotobuf, whose messages are those of package pb. A reused message is reset
// in the way of each: by proto.Unmarshal itself, and by ResetVT, which keeps slices and takes nested messages from pools.
package protobuf
