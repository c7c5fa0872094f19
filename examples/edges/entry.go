package main

import "time"

//go:generate go tool rwgen

// Kind says what an Entry is.
type Kind uint8

// The kinds of entries.
const (
	Payment Kind = iota
	Limit        // a setting: payments of more than Cents are above the limit from here on; of the other fields only Time is set
)

// Entry is a payment by card, or a setting that consumers of payments have to know. A setting is an entry, and no record type of its own, so that it travels on the edge
// of the payments, and every consumer gets it between the payments that it stands between.
//
//rwgen:record
type Entry struct {
	Kind     Kind
	ID       int64 `rw:"varint"` // of payments: from 0, without gaps
	Time     time.Time
	Card     string
	Merchant string
	Cents    int64 `rw:"varint"`
}
