package schema_test

import (
	"fmt"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
)

func Example() {
	fmt.Println(schema.OutputNames("org.usgs.Quake.avsc"))
	fmt.Println(schema.GoName("quake_id"), schema.GoSymbol("QUARRY_BLAST"))

	cfg := schema.Config{Packages: []schema.Package{
		{Namespace: "org", Subspaces: true, Path: "example.com/org", Name: "org"},
		{Namespace: "org.usgs", Path: "example.com/quakes", Name: "quakes"},
	}}
	for _, namespace := range []string{"org.usgs", "org.usgs.net", "com"} {
		if p := cfg.PackageOf(namespace); p != nil {
			fmt.Println(namespace, p.Path)
		} else {
			fmt.Println(namespace, "needs", schema.PackageHint(namespace))
		}
	}
	var diags diag.List
	for _, c := range cfg.Choose([]schema.Candidate{{Name: "org.usgs.Quake"}, {Name: "org.usgs.Source", Referred: true}}, &diags) {
		fmt.Println(c.Name, *c.Format)
	}
	// Output:
	// org_usgs_quake_types.go org_usgs_quake_rw.go
	// QuakeID QuarryBlast
	// org.usgs example.com/quakes
	// org.usgs.net example.com/org
	// com needs a package for the namespace com, or for a namespace around it with its subspaces
	// org.usgs.Quake native
}
