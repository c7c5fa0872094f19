// Package stdtypes has the types of the standard library that people put into records.
package stdtypes

import (
	"database/sql"
	"encoding/json"
	"image"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"time"
)

//go:generate go tool rwgen

//rwgen:record
type Record struct {
	Time     time.Time
	Pointer  *time.Time
	Span     time.Duration
	Month    time.Month
	Addr     netip.Addr
	Port     netip.AddrPort
	Prefix   netip.Prefix
	Prefixes map[netip.Prefix]netip.Addr
	URL      url.URL
	URLs     []*url.URL
	Int      big.Int
	Ints     []*big.Int
	Rat      *big.Rat
	Raw      json.RawMessage
	Number   json.Number
	Text     sql.NullString
	Count    sql.NullInt64
	When     sql.NullTime
	Any      sql.Null[int32]
	IP       net.IP
	Net      net.IPNet
	MAC      net.HardwareAddr
	Level    slog.Level
	Rect     image.Rectangle
}
