// Package text is the shape of a record that is nearly all text and bytes.
package text
