package templates_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/config"
	"github.com/rwgen/rwgen/templates"
)

// The configuration to start from is one that the reader takes, whatever was found, and with all of its examples switched on.
func TestInitConfig(t *testing.T) {
	group := templates.ConfigGroup{
		Files: []string{"schemas/**/*.avsc", `odd "name" #1.avsc`}, Roots: []string{"proto"}, Format: "avro", Dir: "internal/avrorecords", Path: "example.com/module/internal/avrorecords",
	}
	for _, s := range []templates.ConfigStart{
		{Packages: true},
		{Groups: []templates.ConfigGroup{group}},
		{Module: true, Packages: true, Groups: []templates.ConfigGroup{group, {Files: []string{"a.proto"}, Dir: "x"}}},
	} {
		s.Schema, s.Command = config.SchemaURL, "go tool rwgen"
		var b strings.Builder
		if err := templates.InitConfig(&b, s); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), "# yaml-language-server: $schema="+config.SchemaURL+"\n") {
			t.Errorf("editors do not find the schema in\n%s", b.String())
		}
		c, diags := config.Load([]byte(b.String()), "rwgen.yaml")
		if len(diags) > 0 {
			t.Fatalf("%v\n%s", diags, b.String())
		}
		if (len(c.Options.Patterns) > 0) != s.Packages || len(c.Options.Schemas) != len(s.Groups) {
			t.Errorf("%+v gives %+v", s, c.Options)
		}
		for i, g := range s.Groups {
			got := c.Options.Schemas[i]
			if len(got.Files) != len(g.Files) || got.Files[len(g.Files)-1] != g.Files[len(g.Files)-1] || got.Packages[0].Dir == "" || (got.Packages[0].Path == "") != s.Module {
				t.Errorf("%+v gives %+v", g, got)
			}
		}
		var on strings.Builder
		for line := range strings.Lines(b.String()) {
			if rest, ok := strings.CutPrefix(line, "#"); ok && (strings.HasPrefix(rest, "  ") || strings.HasPrefix(rest, " schemas:") || strings.HasPrefix(rest, " go:")) {
				line = rest[1:]
			}
			on.WriteString(line)
		}
		if _, diags := config.Load([]byte(on.String()), "rwgen.yaml"); len(diags) > 0 {
			t.Errorf("with the examples: %v\n%s", diags, on.String())
		}
	}
	if err := templates.InitConfig(fullDisk{}, templates.ConfigStart{}); !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
}
