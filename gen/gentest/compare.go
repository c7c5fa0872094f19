package gentest

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// compare adds to the problems of the case how what was made of it differs from what it wants.
func (c *testCase) compare() {
	wants := c.wants()
	if len(wants) == 0 {
		c.problemf("the case says nothing about what it wants: see Update")
		return
	}
	if want := wants[wantDiagnostics]; want != c.diags {
		c.problemf("diagnostics (-want +got):\n%s", diffLines(want, c.diags))
		return
	}
	if c.diags != "" {
		return
	}
	list, listed := wants[wantFiles]
	if listed && list != c.listing() {
		c.problemf("generated files (-want +got):\n%s", diffLines(list, c.listing()))
	}
	for _, name := range slices.Sorted(maps.Keys(c.got)) {
		want, ok := wants[name]
		switch {
		case !ok && !listed:
			c.problemf("%s is generated, but not wanted", name)
		case ok && want != string(c.got[name]):
			c.problemf("%s (-want +got):\n%s", name, diffLines(want, string(c.got[name])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wants)) {
		if _, ok := c.got[name]; !ok && name != wantFiles && name != wantDiagnostics {
			c.problemf("%s is wanted, but not generated", name)
		}
	}
}

func diffLines(a, b string) string { return cmp.Diff(strings.Split(a, "\n"), strings.Split(b, "\n")) }
