// Package wire is named like a package of the runtime.
package wire

// Text is a string of another package.
type Text string

// Message is a struct of another package.
type Message struct {
	Body Text
	N    int32
}
