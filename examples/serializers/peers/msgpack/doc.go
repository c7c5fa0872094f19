// Package msgpack holds the codecs of msgp, as maps and as tuples.
package msgpack
