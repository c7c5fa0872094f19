// Package sensor is the shape of a record without strings: twelve numbers.
package sensor
