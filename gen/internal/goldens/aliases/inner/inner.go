// Package inner has types that others know by aliases.
package inner

// Item is a record of another package.
type Item struct {
	Name  string
	Count int32
	Tags  []string
}

// Pair is generic.
type Pair[K, V any] struct {
	Key K
	Val V
}

// Celsius is a number.
type Celsius float64
