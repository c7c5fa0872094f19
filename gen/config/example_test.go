package config_test

import (
	"fmt"
	"os"

	"github.com/rwgen/rwgen/gen/config"
)

func ExampleLoad() {
	c, diags := config.Load([]byte(`version: 1
schemas:
  - files: [schemas/*.avsc]
    format: avro
    packages:
      - namespace: org.usgs.*
        dir: quakes
`), "rwgen.yaml")
	if len(diags) > 0 {
		diags.Write(os.Stderr, "")
		return
	}
	group := c.Options.Schemas[0] // Options are those of gen.Generate
	fmt.Println(group.Files, group.Format)
	fmt.Println(group.Packages[0].Namespace, group.Packages[0].Subspaces, group.Packages[0].Dir)
	// Output:
	// [schemas/*.avsc] avro
	// org.usgs true quakes
}

func ExampleLoad_diagnostics() {
	_, diags := config.Load([]byte("version: 1\nheder: Copyright\ngo: {packages: ./...}\n"), "rwgen.yaml")
	diags.Write(os.Stdout, "")
	// Output:
	// rwgen.yaml:2:1: unknown key "heder" [config]
	// 	try: header
	// rwgen.yaml:3:16: go.packages: want a list, not the string "./..." [config]
	// 	try: [./...]
}
