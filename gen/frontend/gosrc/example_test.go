package gosrc_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rwgen/rwgen/gen/frontend/gosrc"
	"github.com/rwgen/rwgen/gen/ir"
)

func ExampleLoad() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{
		"go.mod": "module example.com/flights\n\ngo 1.25\n",
		"flight.go": `package flights

import "time"

// Flight is one departure.
//
//rwgen:record
//rwgen:writer ByOrigin key=Origin
type Flight struct {
	Date   time.Time
	Origin string
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
	}

	in, diags, err := gosrc.Load(context.Background(), gosrc.Config{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	if err := diags.Err(); err != nil {
		log.Fatal(err)
	}
	for _, pkg := range in.Packages {
		fmt.Print(ir.Dump(pkg))
	}
	// Output:
	// package flights "example.com/flights"
	// 	scope Flight
	// 	file flight_rw.go from flight.go
	// 		record Flight "Flight is one departure."
	// 			Date time.Time=time
	// 			Origin string
	// 			writer ByOrigin key=Origin
}
