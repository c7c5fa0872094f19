package templates

import (
	"net/netip"
	"time"
)

// The tests and the page about the records are built into rwgen, and asked for by the directives; the templates for tables are in the directory sql.
//go:generate go tool rwgen -template sql

// Cents is an amount of money.
type Cents int64

// Order is what a customer has bought.
//
//rwgen:record with=test,fuzz,bench,docs
//rwgen:writer ByCustomer key=Customer
type Order struct {
	ID       uint64 `rw:"name=order_id"`
	Placed   time.Time
	Customer string
	Total    Cents `rw:"varint"`
	Paid     bool
	Discount *float32 // a part of 1; nil for none
	Note     *string
	Lines    []Line
	Tags     map[string]string `rw:"sorted"`
	From     netip.Addr        // where the order came from
	Digest   [32]byte
	attempts int8 // of the payment
}

// Line is a part of an order.
type Line struct {
	Article string
	Count   uint32
	Price   Cents
}

// Refund is money that goes back.
//
//rwgen:record with=test,docs
type Refund struct {
	Order  uint64
	At     *time.Time // nil until it has gone out
	Amount Cents
	Reason []byte
}
