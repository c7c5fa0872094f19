// Package another_uuid is in a directory of another name.
package another_uuid

// UUID is an array.
type UUID [16]byte

// Node is a struct.
type Node struct{ Names []string }
