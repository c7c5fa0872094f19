package main

import (
	"context"
	"fmt"
)

const usageHead = `Rwgen generates typed serializers, writers and readers for Go structs.

usage:
`

const usageFlags = `
Packages are given as for the go command; default is the one in the current
directory. Records are structs with a directive in their doc comment:

	//rwgen:record
	//rwgen:writer ByOrigin key=Origin
	type Flight struct { … }

The selections of a writer are:

	key=A,B.C          the channel that owns the hash of these fields; with
	  hash=flink         the one where Flink would send the key
	  hash=kafka         the one where Kafka would put the key, of one field
	  choices=2          one of two channels of the key, the one with less data
	                     waiting; results for a key have to be merged
	broadcast          every channel
	rebalance          all channels in turn
	rescale            the producer's own share of the channels in turn
	shuffle            a random channel
	load               of two random channels the one with less data waiting
	global             channel 0
	forward            the channel with the index of the producer
	custom=Func        what Func(v *Flight, channels int) returns: an int, or
	                   an int and an error

Behind any of them, a writer may be told to send watermarks, which say that no
record of that event time or an earlier one follows:

	eventtime=At       the event time is this field, a time.Time, or
	  At:ms              an integer since 1970 in s, ms, us or ns; for the writers
	                     of sources: stages behind pass watermarks on
	watermark=         how watermarks follow from it:
	  monotonic          times of one writer never go back; the default
	  bounded:5s         they go back by 5 seconds at most
	  punctuated:Func    when Func(v *Flight) returns true, no record of the
	                     same time as v or an earlier one follows

The tag rw:"-" leaves a field out, rw:"varint" encodes an integer with
variable length.

flags of gen and check:
  -type A,B          also generate for these structs without a directive
  -writer 'R.W SEL'  also generate writer W of record R, for example
                     -writer 'Flight.ByOrigin key=Origin'
  -tags a,b          build tags, as for go build
  -o FILE            one output file for all records, in one package
  -header FILE       text below the first lines of generated files, such as a licence
  -C DIR             change to this directory first
  -n                 gen: print what would be written, write nothing
  -v                 print what is done, also what is up to date

exit codes: 0 ok, 1 check found differences, 2 wrong usage, 3 something is
wrong with the sources, 4 rwgen, the go command or the file system failed
`

// runHelp is the verb help.
func runHelp(_ context.Context, e *environment, _ []string) int { return e.help() }

func (e *environment) help() int {
	fmt.Fprint(e.stdout, usageHead)
	for _, v := range verbs() {
		fmt.Fprintf(e.stdout, "  %-36s%s\n", "rwgen "+v.name+" "+v.args, v.summary)
	}
	fmt.Fprint(e.stdout, usageFlags)
	return exitOK
}
