// Package std holds the codecs of encoding/json and encoding/gob.
package std
