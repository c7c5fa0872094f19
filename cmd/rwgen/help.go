package main

import (
	"context"
	"fmt"
)

const usageHead = `Rwgen generates typed serializers, writers and readers for Go structs, and for
the types of Avro and Protobuf schemas.

usage:
`

const usageFlags = `
Packages are given as for the go command; default is the one in the current
directory, unless there is an rwgen.yaml in it or above, which then says what
the run is about: gen/CONFIG.md describes it. Records are structs with a directive in their doc comment:

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

Behind //rwgen:record, with= asks for more functions, separated by commas:

	with=equal         Equal(a, b) of the serializer: what is encoded is equal
	     clone         Clone(v): a copy that shares no memory
	     reset         Reset(v): zero, with the memory of slices and maps kept
	     hash          Hash(v): the same everywhere, and of equal values
	     binary        methods AppendBinary, MarshalBinary, UnmarshalBinary
	     test          x_roundtrip_rw_test.go: round trips, also through an exchange
	     fuzz          x_fuzz_rw_test.go: fuzz targets of the serializers
	     bench         x_bench_rw_test.go: benchmarks of serializers and writers
	     docs          x_rw.md: fields, bytes, writers and schemas

and alias= has the names that the record had before, with a bar between them: a
reader takes records of its own name and of these, and of no other.

Other directives:

	//rwgen:record [string,int]   instances of a generic struct type are records
	//rwgen:union Circle,*Square  values of an interface type are one of these
	//rwgen:codec decimal.Big     a struct type with the methods
	                              Append(dst []byte, v *T) ([]byte, error) and
	                              Consume(src []byte, v *T) error encodes a T

The options of the tag rw:"…" of a field, separated by commas:

	-            alone: the field is left out
	name=x       its name in the schema
	alias=a|b    earlier names, under which older data have it
	default=v    its value when older data do not have it
	varint       an integer of variable length; fixed is the default
	max=N        at most N bytes or elements
	utf8         a string that must be valid UTF-8
	sorted       a map written in the order of its keys
	unixnano     a time in 8 bytes instead of 12
	intern       readers keep one copy of equal strings
	view         readers share the memory of the payload

flags:
  -C DIR             change to this directory first
  -type A,B          also generate for these structs without a directive, and
                     for instances: -type 'Pair[string,int]'; show: only these;
                     init: the name of the record
  -writer 'R.W SEL'  also generate writer W of record R, for example
                     -writer 'Flight.ByOrigin key=Origin'
  -with equal,clone  with= for all records
  -template FILE     also execute this template of your own, or all *.tmpl of a
                     directory; may be repeated; see templates/MODEL.md
  -tags a,b          build tags, as for go build
  -o FILE            one output file for all records, in one package;
                     init: the name of the file
  -header FILE       text below the first lines of generated files, such as a licence
  -config FILE       what the run is about, in place of packages and flags; none:
                     do not look for an rwgen.yaml; init: write one
  -clean             gen, diff: remove output of earlier runs that is left over
  -n                 gen, lock: print what would be written, write nothing
  -v                 gen, check, lock: print what is done, also what is up to
                     date; gen: also why each field is encoded as it is
  -o -               gen: print all output as a txtar archive
  -depfile FILE      gen: write what the output depends on, for Make and Ninja,
  -deptarget NAME      with this target in place of the output
  -lock FILE         check, lock, breaking: in place of rwgen.lock
  -error-format F    text, json (an object a line) or github (annotations); the
                     last two go to standard output
  -against lock|REV  breaking: compare with rwgen.lock, the default, or with what
                     was committed at a git revision
  -mode MODE         breaking: backward, the default: today's code reads earlier
                     data; forward: earlier code reads today's data; or both.
                     Going forward, defaults of earlier Avro schemas count only
                     with -against REV and no lock there: a lock has none.
                     Of the formats protobuf and binary only another name is
                     seen: use buf breaking for messages

flags about schema files:
  -schema FILE       a file or pattern; - is standard input; may be repeated
  -language L        avro, proto or descriptors; default by extension
  -stdin-name NAME   what standard input would be called as a file
  -root DIR          where imports are looked for; may be repeated
  -format F          native, the default, or avro for Avro schemas; without
                     schemas native, protobuf or binary, that of the records
                     that -type names
  -namespace NS      org.usgs, org.usgs.* with all below, * or '': the next three
                     are about it; about all if there is none before them
  -dir DIR             the directory of the Go package
  -path PATH           its import path; default follows from go.mod
  -package NAME        its name
  -record 'R OPT'    a record, with options with=, format= and single-object

Records are those of the build for GOOS and GOARCH. go tool builds rwgen for
these too, so GOOS=windows go generate ends with "exec format error": run it
without them, and GOOS=windows rwgen with an installed rwgen where it matters.

exit codes: 0 ok, 1 check, diff or breaking found something, 2 wrong usage,
3 something is wrong with the sources, 4 rwgen, the go command, git or the file
system failed
`

// runHelp is the verb help.
func runHelp(_ context.Context, e *environment, _ []string) int { return e.help() }

func (e *environment) help() int {
	fmt.Fprint(e.stdout, usageHead)
	for _, v := range verbs() {
		fmt.Fprintf(e.stdout, "  %-38s%s\n", "rwgen "+v.name+" "+v.args, v.summary)
	}
	fmt.Fprint(e.stdout, usageFlags)
	return exitOK
}
