// Rwgen generates typed serializers, writers and readers for Go structs.
//
//	rwgen [gen] [flags] [packages]    write the generated files
//	rwgen check [flags] [packages]    say which generated files are not up to date
//	rwgen version                     print the version
//	rwgen help                        print this text
//
// Records are struct types with a directive in their doc comment:
//
//	// Flight is one departure.
//	//
//	//rwgen:record
//	//rwgen:writer ByOrigin key=Origin
//	type Flight struct {
//		Date   time.Time
//		Origin string
//		cache  *entry `rw:"-"`
//	}
//
// The records of flight.go go to flight_rw.go in the same directory. Packages are given as for the go command, by default the one in
// the current directory, so that in a source file this is all it takes:
//
//	//go:generate go tool rwgen
//
// The selections of a writer say which channel a record goes to:
//
//	key=Field      the one that owns the hash of the key; several fields: key=A,B; fields of fields: key=A.B
//	broadcast      every channel
//	rebalance      all channels in turn
//	rescale        the producer's own share of the channels in turn
//	shuffle        a random one
//	load           of two random ones the one with less data waiting for its reader
//	global         channel 0
//	forward        the one with the index of the producer
//	custom=Func    the one that a function of the package returns: func(v *Flight, channels int) int, or with results (int, error)
//
// After key= there may be options:
//
//	hash=flink     the channel of the operator where Apache Flink would send the key; several fields are hashed as a tuple
//	hash=kafka     the channel with the number of the partition where Apache Kafka would put the key, which must be one field
//	hash=xxh3      the default
//	choices=2      of two channels that belong to the key the one with less data waiting: for few, frequent keys whose results can
//	               be merged downstream; not together with hash=flink or hash=kafka
//
// After any selection, in the same line, a writer may be told the event time of its records, from which it makes watermarks. A watermark tells the readers that no record
// of that event time or an earlier one follows. It is for the writers of sources: stages behind them combine the watermarks of their inputs and pass them on:
//
//	eventtime=At                  the event time is the field At, a time.Time
//	eventtime=At:ms               … an integer of 32 or 64 bits: milliseconds since 1970; or s, us, ns
//	watermark=monotonic           event times of one writer never go back; the default
//	watermark=bounded:5s          they go back by 5 seconds at most: a record that is older than another before it by more than that is late
//	watermark=punctuated:Func     a function of the package, func(v *Flight) bool, says after which records none follows that is as old or older
//
// The flags are:
//
//	-type A,B
//		also generate for these struct types, which need no directive; may be repeated
//	-writer 'Flight.ByOrigin key=Origin'
//		also generate this writer; may be repeated
//	-tags a,b
//		build tags, as for go build
//	-o FILE
//		write one file for all records, which must be in one package
//	-header FILE
//		put this text, for example a licence, on top of generated files
//	-C DIR
//		change to this directory first
//	-n
//		gen: print what would be written, write nothing
//	-v
//		print what is done, also what is up to date
//
// Gen writes only files whose content changes, and prints nothing unless asked to. Check prints a line for each file that is stale,
// missing, or orphaned (generated earlier, but not any more), and needs the same flags as gen.
//
// The exit code is 0 if all is well, 1 if check found differences, 2 for wrong usage, 3 if something is wrong with the sources, and 4
// if rwgen itself, the go command or the file system failed. In case of 3 nothing has been written, and standard error has all
// diagnostics, one "path:line:col: message [category]" each.
package main

import (
	"context"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Environ())
	stop()
	os.Exit(code)
}
