// Package money has a type of somebody else.
package money

// Amount hides what it is made of, and has no methods to encode it.
type Amount struct{ cents int64 }

// Cents returns an amount.
func Cents(n int64) Amount { return Amount{n} }

// Cents returns the amount.
func (a Amount) Cents() int64 { return a.cents }
