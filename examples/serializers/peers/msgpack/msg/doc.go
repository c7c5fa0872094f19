// Package msg holds the records of msgp, once as maps and once as tuples.
package msg
