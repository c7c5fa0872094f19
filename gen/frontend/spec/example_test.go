package spec_test

import (
	"fmt"
	"go/token"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/spec"
	"github.com/rwgen/rwgen/gen/ir"
)

func Example() {
	r := &ir.Record{Name: "Quake", Type: &ir.Type{Kind: ir.Struct, Fields: []*ir.Field{{Name: "Place", Type: &ir.Type{Kind: ir.String}}}}}
	pos := token.Position{Filename: "rwgen.yaml", Line: 7}
	var diags diag.List
	for _, text := range []string{"ByPlace key=Place", "ByPlace2 key=Plaec", "All everywhere"} {
		w, d := spec.Parse(spec.Words(text, pos), pos)
		if d != nil {
			fmt.Println(d.Format(""))
			continue
		}
		spec.Resolver{Diags: &diags}.Resolve(r, []spec.Writer{w})
	}
	for _, d := range diags {
		fmt.Println(d.Format(""))
	}
	fmt.Println(r.Writers[0].Name, r.Writers[0].Kind, r.Writers[0].Keys)
	// Output:
	// rwgen.yaml:7: unknown selection "everywhere" of writer All [directive]
	// 	try: broadcast
	// rwgen.yaml:7: writer ByPlace2: Quake has no field Plaec [key]
	// 	try: key=Place
	// ByPlace key [Place]
}
