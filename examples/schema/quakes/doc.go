// Package quakes has the records of quake.avsc, in Avro's binary encoding.
package quakes
