package gen_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rwgen/rwgen/gen"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{
		"go.mod":    "module example.com/flights\n\ngo 1.25\n",
		"flight.go": "package flights\n\n//rwgen:record\ntype Flight struct {\n\tOrigin string\n\tDelay int32\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
	}

	result, err := gen.Generate(context.Background(), gen.Options{
		Dir:     dir,
		Writers: []string{"Flight.ByOrigin key=Origin"},
	})
	if err != nil {
		log.Fatal(err)
	}
	if len(result.Diagnostics) > 0 {
		log.Fatal(result.Diagnostics)
	}
	for _, change := range result.Changes() {
		fmt.Println(filepath.Base(change.Path), "is", change.Kind)
	}
	written, err := result.Write()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(written), "file written")
	// Output:
	// flight_rw.go is missing
	// 1 file written
}

func ExampleInspect() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{
		"go.mod":    "module example.com/flights\n\ngo 1.25\n",
		"flight.go": "package flights\n\n//rwgen:record\ntype Flight struct {\n\tOrigin string\n\tDelay int32\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
	}

	result, err := gen.Inspect(context.Background(), gen.Options{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	for s := range result.Schemas() {
		fmt.Println(s.Record.Name, s.Schema.Hex())
		fmt.Println(s.Schema.Text)
	}
	// Output:
	// Flight 53090853cd90ee2d
	// rwgen/1 Flight{Origin string,Delay i32}
}

func ExampleResult_diagnostics() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{
		"go.mod":   "module example.com/orders\n\ngo 1.25\n",
		"order.go": "package orders\n\n//rwgen:record\ntype Order struct {\n\tID   int64\n\tDone chan bool\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
	}

	result, err := gen.Generate(context.Background(), gen.Options{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	result.Diagnostics.Write(os.Stdout, dir)
	// Output:
	// order.go:6:2: Order.Done: a channel (chan bool) has no encoding [field]
	// 	try: leave the field out with the tag rw:"-"
}
