// Package err has a name that jennifer would change.
package err

type Cause struct{ Text string }
