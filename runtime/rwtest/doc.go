// Package rwtest is for tests of programs that exchange records over a network, and of the network part of this module itself: networks that can be harmed at an exact place, and checks that
// everything was given back. Only tests import it.
//
// # A network in memory
//
// A [Network] gives out listeners and connections with which a program does what it would do over TCP. Hosts are names, and exist as soon as they are named:
//
//	n := rwtest.NewNetwork(rwtest.Seed(7))
//	l, err := n.Listen("server:1")        // a net.Listener
//	c, err := n.Dial(ctx, "server:1")     // a net.Conn, of the host "client"
//	c, err = n.Host("a").Dial(ctx, "server:1")
//	err = n.Close()                       // names what was left open
//
// n.Dial, and n.Host("a").Dial, are functions to give to whoever takes one for dialing; DialContext has the form of that of [net.Dialer]. A host whose name is an IP address has addresses of type [*net.TCPAddr].
//
// [Conn] says how a connection behaves: like TCP on Linux, also where that is unpleasant. Errors are those of package net, so that [errors.Is] finds [io.EOF], [net.ErrClosed], [os.ErrDeadlineExceeded], [syscall.ECONNRESET],
// [syscall.EPIPE] and [syscall.ECONNREFUSED].
//
// # Faults
//
// The [Link] between two hosts says what their connections suffer, and may change at any time. From("a") restricts it to what a sends:
//
//	link := n.Link("a", "server")
//	link.Latency(time.Millisecond, 5*time.Millisecond)
//	link.From("server").BytesPerSecond(10 << 20)
//
//	Latency, BytesPerSecond  when bytes arrive
//	Loss                     packets come later, because they were sent again
//	Split                    how few bytes a Read returns
//	Window                   how many bytes may be under way, before Write waits
//	Wakeups                  in which order those who wait go on
//	Drop, Heal               nothing arrives, and nobody is told; all of it comes later
//	Cut                      both ends are reset
//	CutAt                    one end is reset, the other never learns (a half-open connection)
//	CutAfter, CutEvery       reset behind an exact byte, once, or again and again by seed
//	OnMessage                a hook sees each message, and says where to cut
//	Refuse                   dials fail
//
// [EachLink] is for what shall hold for all links:
//
//	n := rwtest.NewNetwork(rwtest.Seed(seed), rwtest.EachLink(func(l *rwtest.Link) {
//		l.Latency(0, 20*time.Millisecond)
//		l.Split(100)
//		l.CutEvery(1<<10, 64<<10)
//	}))
//
// # Virtual time
//
// A network has no goroutines, and waits only on conditions and timers. So it runs in a bubble of testing/synctest, if it is made there, where hours pass in no time, a program that hangs is a failed
// test, and so is a goroutine that does not end. A run with a few connections takes well under a millisecond, which makes thousands of seeds a matter of seconds:
//
//	for seed := range uint64(10_000) {
//		synctest.Test(t, func(t *testing.T) {
//			n := rwtest.NewNetwork(rwtest.Seed(seed), rwtest.EachLink(hostile))
//			rwtest.MustClose(t, n)
//			…
//		})
//	}
//
// # What the seed decides
//
// Every connection, direction and kind of choice has random numbers of its own, which follow from the seed, the names of the hosts, and the number of the connection. The places of splits are places in the stream: they do not depend on times. Latency
// and loss are chosen Write by Write. CutAfter and CutEvery count the bytes of all connections of a link.
//
// In virtual time a whole run is the same again if goroutines do not run at the same time. Those that wait for the network do not, after Wakeups(time.Millisecond): each goes on at a time of its own. Those that the program starts, or wakes through
// channels, at the same time run in the order that the Go scheduler likes; and what they write in this order gets its latency, and its place behind others on the wire, in this order.
//
// # Real sockets
//
// A [Proxy] stands between processes that talk over TCP on the loopback interface, and cuts, stalls, delays or refuses their connections:
//
//	p, err := rwtest.NewProxy("127.0.0.1:7000", seed)
//	… dial p.Addr() instead of 127.0.0.1:7000 …
//	p.CutEvery(1<<20, 8<<20)
//	err = p.Close()
//
// # Leaks
//
// [NewPool] returns a pool of memory whose test fails if something was not given back; [MustClose] does the same with what checks itself in Close; [NoLeaks] looks for goroutines of this module that go on.
package rwtest
