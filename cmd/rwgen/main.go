// Rwgen generates typed serializers, writers and readers for Go structs, and for the types of Avro and Protobuf schemas.
//
//	rwgen [gen] [flags] [packages]    write the generated files
//	rwgen check [flags] [packages]    say which generated files are not up to date
//	rwgen diff [flags] [packages]     print what gen would change
//	rwgen show [flags] [packages]     draw the bytes of each record, and say why
//	rwgen breaking [flags] [packages] list changes that keep data from being read
//	rwgen lock [flags] [packages]     remember the schemas in rwgen.lock
//	rwgen init [flags]                write a file to start from
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
// Other directives make records of instances of generic types (//rwgen:record [string,int]), say which types an interface may hold
// (//rwgen:union Circle,*Square), and register an encoding for a type of another package (//rwgen:codec decimal.Big). Options of a
// field stand in its tag, as in rw:"varint" or rw:"name=at,alias=date|day". The text of rwgen help lists all of them.
//
// The flags are:
//
//	-C DIR
//		change to this directory first
//	-type A,B
//		also generate for these struct types, which need no directive, and for instances of generic ones, as in 'Pair[string,int]'; may be
//		repeated. Show is about these only, if there are any. For init it is the name of the record.
//	-writer 'Flight.ByOrigin key=Origin'
//		also generate this writer; may be repeated
//	-with equal,test
//		generate this for all records, besides what their directives ask for; may be repeated
//	-template FILE
//		also execute this template of your own, or all files *.tmpl of a directory; may be repeated. The page templates/MODEL.md says what templates see, and how
//		their output is named.
//	-tags a,b
//		build tags, as for go build
//	-o FILE
//		write one file for all records, which must be in one package. For init it is the name of the file. For gen, - prints all output as a txtar
//		archive, and writes nothing.
//	-header FILE
//		put this text, for example a licence, on top of generated files
//	-config FILE|none
//		what the run is about, in place of packages and flags that say it; or do not look for an rwgen.yaml. For init: write one
//	-depfile FILE
//		gen: write what the output depends on, for Make and Ninja
//	-deptarget NAME
//		the target of the rule in -depfile, in place of the output
//	-lock FILE
//		check, lock, breaking: the lock, in place of the rwgen.lock beside go.mod
//	-clean
//		gen, diff: remove the orphans, see below
//	-n
//		gen, lock: print what would be written, write nothing
//	-v
//		gen, check, lock: print what is done, also what is up to date. Gen adds why each field is encoded as it is.
//	-error-format text|json|github
//		how to print what is wrong: for people, on standard error; as JSON on standard output, an object a line with the members
//		file, line, col, category, message, hint and related, those that are known; as annotations of GitHub Actions, also on standard output
//	-against lock|REV
//		breaking: compare with rwgen.lock, the default, or with a git revision: with its rwgen.lock, or else with the generated files
//		that were committed
//	-mode backward|forward|both
//		breaking: today's code reads earlier data, the default; or earlier code reads today's data; or both. Of earlier Avro schemas the
//		defaults count only with -against REV where there is no lock, which has none. Of the formats protobuf and binary no change is seen but
//		that of the name: use buf breaking for messages
//
// Records of schemas are generated by these flags, which describe one group of files:
//
//	-schema FILE
//		a schema file, or a pattern in which ** stands for directories; - is standard input; may be repeated
//	-language avro|proto|descriptors
//		the language; default is what the extensions say
//	-stdin-name NAME
//		what standard input would be called as a file
//	-root DIR
//		a directory in which imports are looked for; may be repeated
//	-format native|avro|protobuf|binary
//		the form in which records travel: native, the default, or avro for Avro schemas; without schemas native, protobuf or binary, that of the records that -type names
//	-namespace NS
//		a namespace of the schemas, org.usgs, org.usgs.* with all below, or * for all: what the following three are about; may be repeated
//	-dir DIR, -path PATH, -package NAME
//		directory, import path and name of the Go package for the types of the namespace, or of all namespaces if there is none before
//	-record 'Quake with=equal format=avro single-object'
//		a type that is a record, with options; may be repeated. Default are the types that no other type refers to
//
// No go command is needed for them. An rwgen.yaml in the current directory or above, up to one with go.mod or .git, says all of this for a whole module, and more: it counts if there are no packages and no
// flags that say what the run is about. Under go generate it must be in the directory of the line. Its keys are described in gen/CONFIG.md.
//
// Gen writes only files whose content changes, and prints nothing unless asked to. Output of an earlier run that is left over, because its
// source has gone or been renamed, or because -o names another file, is an orphan. Orphans are kept, unless -clean is given; but gen writes nothing
// as long as one declares what it would declare too, because the package could not be built.
//
// Check needs the same flags as gen, and prints a line for each file that is
//
//	stale        not what would be generated now, and why, if that is only because a name in its package is now that of an import
//	missing      not there
//	orphaned     generated earlier, but not any more
//	hand-edited  changed since it was generated: what it says about its origin is up to date, but its code is not; or it is
//	             not formatted, or does not parse. Between releases all builds of rwgen call themselves (devel), so there a change of
//	             rwgen can look the same.
//
// If there is an rwgen.lock, check compares it with the code as well. Diff prints the changes of gen as a unified diff.
//
// Lock writes the schemas of the records in the named packages to rwgen.lock beside go.mod, one line for each, and removes the
// lines of records and packages that are gone. Breaking compares the code with that, or with a revision, and reports each change after
// which data cannot be read any more, with its position and what to do about it.
//
// Records are those of the build for the platform in the environment; output for other platforms is left alone. go tool and go run build rwgen
// itself for that platform too, so GOOS=windows go generate fails with "exec format error" elsewhere: run go generate without GOOS
// and GOARCH, and for sources of other platforms an installed rwgen, as in GOOS=windows rwgen.
//
// The exit code is 0 if all is well, 1 if check, diff or breaking found something, 2 for wrong usage, 3 if something is wrong with the sources,
// and 4 if rwgen itself, the go command, git or the file system failed. In case of 3 nothing has been written, and all diagnostics have been
// printed, one "path:line:col: message [category]" each.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
)

func main() {
	debug.SetGCPercent(400) // a run is short: memory costs less than collecting it
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ())
	stop()
	os.Exit(code)
}
