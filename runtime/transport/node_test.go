package transport_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/transport"
)

// broken is a listener that fails for good.
type broken struct{ net.Listener }

var errBroken = errors.New("the cable is cut")

func (broken) Accept() (net.Conn, error) { return nil, errBroken }

// lines is a log.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// A node whose listener fails says so at once, and Close does too.
func TestNodeListenerFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var log lines
	n, err := transport.NewNode(transport.Config{Name: "a", Plain: transport.PlainLoopback, Logger: slog.New(slog.NewTextHandler(&log, nil))}, broken{l})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for !strings.Contains(log.String(), "the cable is cut") && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if got := log.String(); !strings.Contains(got, "level=ERROR") || !strings.Contains(got, "does not listen any more") || !strings.Contains(got, n.Address()) {
		t.Errorf("the log says %q", got)
	}
	if err := n.Close(ctx); !errors.Is(err, errBroken) {
		t.Errorf("Close: %v", err)
	}
}
