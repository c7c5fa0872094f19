// Schema is records that are defined by schema files: earthquakes of one week (US Geological Survey, public domain) go through keyed writers in three forms, and what arrives is decoded by the reference
// libraries of Avro and Protobuf.
//
//	go generate ./examples/schema && go run ./examples/schema
//
// The types of the first and the third are made by rwgen from the schemas, those of the second by protoc-gen-go:
//
//	schemas/quake.avsc  ─► quakes    format avro       ─► Avro binary, decoded by github.com/twmb/avro
//	schemas/quake.proto ─► quakepb   format protobuf   ─► Protobuf, decoded by google.golang.org/protobuf
//	                    └► messages  format native     ─► decoded by the generated reader
//
// rwgen.yaml says what is made of which; a Makefile does the same for those who build with make. Usage:
//
//	schema [-in FILE]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

//go:generate go tool rwgen
//go:generate go run ./internal/protogen schemas/quake.proto quakepb
//go:generate go tool rwgen -config none ./quakepb

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main with everything it touches passed in. It returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("schema", flag.ContinueOnError)
	fs.SetOutput(stderr)
	in := fs.String("in", "", "read `FILE`, a GeoJSON summary of the feed of earthquakes (default: the embedded data)")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case fs.NArg() > 0:
		fmt.Fprintf(stderr, "schema: unexpected argument %q; the file is named with -in\n", fs.Arg(0))
		return 2
	}
	if err := process(ctx, *in, stdout); err != nil {
		fmt.Fprintf(stderr, "schema: %v\n", err)
		return 1
	}
	return 0
}

// process sends the events of a file in all forms. It fails at the first that does not arrive as it was.
func process(ctx context.Context, name string, stdout io.Writer) error {
	events, err := readEvents(name)
	if err != nil {
		return err
	}
	total, failed := 0, error(nil)
	for _, f := range []struct {
		name string
		send func(context.Context, []event) (traffic, error)
	}{
		{"avro", sendAvro}, {"protobuf", sendProtobuf}, {"native", sendNative},
	} {
		t, err := f.send(ctx, events)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", f.name, err))
			continue
		}
		total += t.records
		if _, err := fmt.Fprintf(stdout, "%-9s %d records of %.1f bytes, equal to what was sent: %d, by worker %v\n", f.name, t.records, float64(t.bytes)/float64(t.records), t.records, t.byWorker); err != nil {
			return err
		}
	}
	if failed != nil {
		return failed
	}
	_, err = fmt.Fprintf(stdout, "total quakes=%d compared=%d\n", len(events), total)
	return err
}
