package rwtest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"github.com/rwgen/rwgen/runtime/rwtest"
)

// pair returns the ends of a connection of the hosts "a" and "b".
func pair(n *rwtest.Network) (a, b net.Conn) {
	l, err := n.Listen("b:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	if a, err = n.Host("a").Dial(context.Background(), l.Addr().String()); err != nil {
		panic(err)
	}
	if b, err = l.Accept(); err != nil {
		panic(err)
	}
	return a, b
}

func Example() {
	n := rwtest.NewNetwork(rwtest.Seed(7))
	a, b := pair(n)
	fmt.Fprint(a, "hello")
	a.Close()
	text, err := io.ReadAll(b)
	fmt.Println(string(text), err)
	fmt.Println(n.Close())
	// Output:
	// hello <nil>
	// rwtest: left open: connection of b:49152 with a:49153, accepted there
}

func ExampleLink_CutAfter() {
	n := rwtest.NewNetwork()
	a, b := pair(n)
	n.Link("a", "b").CutAfter(7)
	fmt.Fprint(a, "hello")
	taken, err := fmt.Fprint(a, "hello")
	fmt.Println(taken, err)
	text, err := io.ReadAll(b)
	fmt.Println(string(text), errors.Is(err, syscall.ECONNRESET))
	_, err = fmt.Fprint(a, "hello")
	fmt.Println(errors.Is(err, syscall.ECONNRESET))
	// Output:
	// 5 <nil>
	// hellohe true
	// true
}

// Messages of one byte for the length, and the text: the connection is cut in the middle of the one that says stop.
func ExampleLink_OnMessage() {
	n := rwtest.NewNetwork()
	a, b := pair(n)
	length := func(header []byte) int { return int(header[0]) }
	n.Link("a", "b").OnMessage(1, length, func(m rwtest.Message) int {
		fmt.Printf("message %d of %s: %d bytes\n", m.Number, m.From, m.Body)
		if m.Number == 1 {
			return 1 + m.Body/2
		}
		return rwtest.Pass
	})
	fmt.Fprint(a, "\x05hello")
	fmt.Fprint(a, "\x04stop")
	text, err := io.ReadAll(b)
	fmt.Printf("%q %v\n", text, errors.Is(err, syscall.ECONNRESET))
	// Output:
	// message 0 of a: 5 bytes
	// message 1 of a: 4 bytes
	// "\x05hello\x04st" true
}

func ExampleLink_Drop() {
	n := rwtest.NewNetwork()
	a, b := pair(n)
	link := n.Link("a", "b")
	link.From("a").Drop()
	fmt.Fprint(a, "later")
	fmt.Fprint(b, "the other direction")
	p := make([]byte, 100)
	k, err := a.Read(p)
	fmt.Println(string(p[:k]), err)
	link.Heal()
	k, err = b.Read(p)
	fmt.Println(string(p[:k]), err)
	// Output:
	// the other direction <nil>
	// later <nil>
}

func ExampleProxy() {
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	p, err := rwtest.NewProxy(target.Addr().String(), 7)
	if err != nil {
		panic(err)
	}
	a, err := net.Dial("tcp", p.Addr())
	if err != nil {
		panic(err)
	}
	b, err := target.Accept()
	if err != nil {
		panic(err)
	}
	fmt.Fprint(a, "hello")
	text := make([]byte, 5)
	_, err = io.ReadFull(b, text)
	fmt.Println(string(text), err)
	p.Cut()
	_, err = b.Read(text)
	fmt.Println(err != nil && err != io.EOF, p.Stats().Cuts)
	_, _, _ = a.Close(), b.Close(), target.Close()
	fmt.Println(p.Close())
	// Output:
	// hello <nil>
	// true 1
	// <nil>
}
