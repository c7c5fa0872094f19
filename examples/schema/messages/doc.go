// Package messages has the records of quake.proto, in rwgen's own format.
package messages
