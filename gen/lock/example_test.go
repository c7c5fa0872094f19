package lock_test

import (
	"fmt"

	"github.com/rwgen/rwgen/gen/lock"
	"github.com/rwgen/rwgen/runtime/record"
)

func ExampleFile_Update() {
	const text = "rwgen/1 Flight{Origin string}"
	f := &lock.File{Path: lock.Name}
	flights := func(e lock.Entry) bool { return e.Package == "flights" }
	f.Update(flights, []lock.Entry{{
		Package: "flights", Record: "Flight", Schema: record.Schema{Text: text, Fingerprint: lock.Fingerprint(text)},
	}})
	fmt.Println(f.Entries[0].String())
	// Output: flights Flight 83ae7012fea440fe rwgen/1 Flight{Origin string}
}
