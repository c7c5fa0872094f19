package rwtest

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
)

// Addr is the address of one end of a connection whose host has a name. Where the host is an IP address, it is a [*net.TCPAddr] instead.
type Addr struct {
	Host string
	Port int // 1 to 65535
}

// Network returns "rwtest".
func (a Addr) Network() string { return "rwtest" }

// String returns host and port in the form of [net.JoinHostPort].
func (a Addr) String() string { return net.JoinHostPort(a.Host, strconv.Itoa(a.Port)) }

// newAddr returns the address of a port.
func newAddr(host string, port int) net.Addr {
	if ip, err := netip.ParseAddr(host); err == nil {
		return net.TCPAddrFromAddrPort(netip.AddrPortFrom(ip, uint16(port)))
	}
	return Addr{host, port}
}

// parseAddr splits an address into host and port.
func parseAddr(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, err
	}
	if host == "" {
		return "", 0, &net.AddrError{Err: "missing host in address", Addr: address}
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, &net.AddrError{Err: fmt.Sprintf("port %q is not a number below 65536", text), Addr: address}
	}
	return host, int(n), nil
}

// hostOf returns the host of an address, or the whole text if there is no port.
func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}
