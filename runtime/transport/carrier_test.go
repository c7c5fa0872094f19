package transport

import (
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"testing"
)

// scripted is a connection that counts calls, fails at one of them, and gives what there is to read at once.
type scripted struct {
	net.Conn
	calls int
	fail  int // the number of the call that fails, after half of it was taken; 0: none
	wrote bytes.Buffer
	read  [][]byte
}

var errCut = errors.New("cut")

func (s *scripted) Write(p []byte) (int, error) {
	if s.calls++; s.calls == s.fail {
		n, _ := s.wrote.Write(p[:len(p)/2])
		return n, errCut
	}
	return s.wrote.Write(p)
}

func (s *scripted) Read(p []byte) (int, error) {
	if s.calls++; len(s.read) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.read[0])
	s.read = s.read[1:]
	return n, nil
}

// What is held goes out with one call, in order, and with some more only if there is very much; what is not held goes out at once.
func TestCarrierHolds(t *testing.T) {
	conn := new(scripted)
	c := newCarrier(conn)
	var want []byte
	write := func(n int, b byte) {
		t.Helper()
		p := bytes.Repeat([]byte{b}, n)
		want = append(want, p...)
		if k, err := c.Write(p); k != n || err != nil {
			t.Fatal(k, err)
		}
	}
	write(10, 1)
	write(20, 2)
	if conn.calls != 2 {
		t.Errorf("%d calls for what is not held", conn.calls)
	}
	c.hold()
	for i := range 6 {
		write(16<<10, byte(3+i))
	}
	if conn.calls != 2 {
		t.Errorf("%d calls while less than %d bytes are held", conn.calls-2, heldBytes)
	}
	if err := c.flush(); err != nil || conn.calls != 3 {
		t.Errorf("%v, %d calls for what was held", err, conn.calls-2)
	}
	write(5, 9)
	if err := c.flush(); err != nil || conn.calls != 4 {
		t.Errorf("%v, %d calls after a flush without a hold", err, conn.calls-3)
	}
	c.hold()
	for range 40 {
		write(16<<10, 10)
	}
	if err := c.flush(); err != nil || conn.calls != 9 || cap(c.held) > 2*heldBytes {
		t.Errorf("%v, %d calls, %d bytes are kept", err, conn.calls-4, cap(c.held))
	}
	if !bytes.Equal(conn.wrote.Bytes(), want) {
		t.Error("other bytes, or in another order")
	}
}

// After a write that has failed, perhaps inside a record of TLS, nothing is sent any more.
func TestCarrierFails(t *testing.T) {
	for _, held := range []bool{false, true} {
		conn := &scripted{fail: 1}
		c := newCarrier(conn)
		if held {
			c.hold()
		}
		_, err := c.Write(make([]byte, 100))
		if failed := c.flush(); held && (err != nil || failed != errCut) || !held && (err != errCut || failed != errCut) {
			t.Errorf("held %v: %v, %v", held, err, failed)
		}
		if _, err := c.Write(make([]byte, 100)); err != errCut || conn.calls != 1 {
			t.Errorf("held %v: %v, %d calls", held, err, conn.calls)
		}
	}
}

// What has arrived is read with one call, and wait is called before each that may wait.
func TestCarrierReads(t *testing.T) {
	large := bytes.Repeat([]byte("large"), carriedBytes/4)
	first := bytes.Repeat([]byte{9}, handshakeBytes) // more than a stranger's buffer has room for, so that the next one is larger
	conn := &scripted{read: [][]byte{first, bytes.Repeat([]byte{1}, 50_000), {2}, large[:carriedBytes]}}
	c := newCarrier(conn)
	waits := 0
	c.wait = func() { waits++ }
	var got []byte
	p := make([]byte, 1000)
	for range 5 + 51 {
		n, err := c.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p[:n]...)
	}
	if conn.calls != 3 || waits != 3 {
		t.Errorf("%d calls, %d waits for three pieces", conn.calls, waits)
	}
	p = make([]byte, 2*carriedBytes)
	n, err := c.Read(p)
	if n != carriedBytes || err != nil {
		t.Error(n, err)
	}
	if got = append(got, p[:n]...); !bytes.Equal(got, slices.Concat(first, bytes.Repeat([]byte{1}, 50_000), []byte{2}, large[:carriedBytes])) {
		t.Error("other bytes")
	}
	if n, err := c.Read(p); n != 0 || err != io.EOF || waits != 5 {
		t.Errorf("%d, %v at the end, %d waits", n, err, waits)
	}
	if n, err := c.Read(p[:1]); n != 0 || err != io.EOF {
		t.Errorf("%d, %v at the end", n, err)
	}
}

// What is written beside batches while that is postponed is owed, in order, and not more than a bound of it; afterwards it goes out with what comes next.
func TestCarrierPostpones(t *testing.T) {
	conn := new(scripted)
	c := newCarrier(conn)
	owed := 0
	c.postpone(func() { owed++ })
	write := func(s string) {
		t.Helper()
		if n, err := c.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatal(n, err)
		}
	}
	write("a")
	write("b")
	if conn.calls != 0 || owed != 2 || !c.owes() {
		t.Errorf("%d calls, asked %d times, owes: %v", conn.calls, owed, c.owes())
	}
	c.hold()
	write("c")
	if err := c.flush(); err != nil || conn.calls != 1 || owed != 2 || c.owes() {
		t.Errorf("%v, %d calls, asked %d times, owes: %v", err, conn.calls, owed, c.owes())
	}
	write("d")
	c.postpone(nil)
	write("e")
	write("f")
	if got := conn.wrote.String(); got != "abcdef" || conn.calls != 3 {
		t.Errorf("%q with %d calls", got, conn.calls)
	}
	c.postpone(func() {})
	var err error
	n := 0
	for ; err == nil && n < 10*owedBytes; n += 100 {
		_, err = c.Write(make([]byte, 100))
	}
	if err != errOwed || n > owedBytes+100 || c.flush() != errOwed || conn.calls != 3 {
		t.Errorf("%v after %d bytes", err, n)
	}
}
