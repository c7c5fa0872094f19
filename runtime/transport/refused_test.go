package transport

import (
	"io"
	"net"
	"testing"
)

// An address where nobody listens any more is told from other failures, by what the system says.
func TestIsRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if _, err := net.Dial("tcp", l.Addr().String()); !isRefused(err) {
		t.Errorf("%v (%T) is not a refusal", err, err)
	}
	if isRefused(io.ErrUnexpectedEOF) {
		t.Error("the end of a connection is a refusal")
	}
}
