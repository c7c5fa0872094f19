// Package opaque has messages of protoc-gen-go's opaque API.
package opaque
