package transport

import (
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// overtaken is a connection on which something happens just before the first deadline for writing is set.
type overtaken struct {
	net.Conn
	before func()
}

func (c *overtaken) SetWriteDeadline(t time.Time) error {
	if f := c.before; f != nil {
		c.before = nil
		f()
	}
	return c.Conn.SetWriteDeadline(t)
}

// A write to a peer that does not read ends soon after the connection is to be finished, also if its own deadline is set after that.
func TestFinishWhileDeadlineIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		defer b.Close()
		defer a.Close()
		conn := &overtaken{Conn: a}
		out := newBatch(conn, time.Minute)
		conn.before = out.finish
		out.add(func(dst []byte) []byte { return append(dst, 1, 2, 3) })
		start := time.Now()
		if err := out.write(); err == nil {
			t.Error("written to nobody")
		}
		if took := time.Since(start); took > refuseTimeout {
			t.Errorf("it took %v", took)
		}
	})
}
