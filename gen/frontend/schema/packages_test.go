package schema_test

import (
	"go/token"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
)

func TestCheckPackages(t *testing.T) {
	pos := func(line int) token.Position { return token.Position{Filename: "rwgen.yaml", Line: line, Column: 7} }
	cfg := schema.Config{Packages: []schema.Package{
		{Namespace: "com.acme.shop", Pos: pos(1)},
		{Namespace: "com.acme.cmmon", Pos: pos(2)},
		{Namespace: "", Pos: pos(3)},
		{Namespace: "com.acme", Subspaces: true, Pos: pos(4)},
		{Namespace: "com.acme.shops", Pos: pos(5)}, // like one that has a package
		{Namespace: "nett", Subspaces: true, Pos: pos(6)},
		{Namespace: "somewhere.quite.different", Pos: pos(7)},
	}}
	var diags diag.List
	cfg.CheckPackages(slices.Values([]string{"com.acme.shop", "com.acme.common", "com.acme.shop", "", "net.quakes"}), &diags)
	var got []string
	for _, d := range diags {
		got = append(got, d.Format(""))
	}
	want := []string{
		"rwgen.yaml:2:7: no schema has the namespace com.acme.cmmon [config]\n\ttry: com.acme.common",
		"rwgen.yaml:6:7: no schema has the namespace nett [config]\n\ttry: net",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
