// Package foreign has types of other packages, two of them of the same name (cases 13 and 27 of the public reports on other generators).
package foreign

import (
	"image"
	"net/netip"
	"time"

	a "github.com/rwgen/rwgen/gen/internal/goldens/foreign/a/model"
	b "github.com/rwgen/rwgen/gen/internal/goldens/foreign/b/model"
	"github.com/rwgen/rwgen/gen/internal/goldens/foreign/err"
	"github.com/rwgen/rwgen/gen/internal/goldens/foreign/wire"
)

//go:generate go tool rwgen

//rwgen:record
type Record struct {
	A       a.Point
	B       b.Point
	AItem   a.Item
	BItem   b.Item
	As      []a.Item
	Bs      []b.Item
	APtr    *a.Item
	BPtr    *b.Item
	Status  a.Status
	Texts   map[wire.Text]wire.Message
	Message *wire.Message
	Tagged  []a.Tagged
	Rect    image.Rectangle
	Points  []image.Point
	Pair    a.Pair[string, b.Point]
	Pairs   []a.Pair[int32, []wire.Text]
	Skip    netip.Addr `rw:"-"`
	Month   time.Month
	Cause   *err.Cause
}

// This is in the way as well.
const err1 = 1

var _ = err1
