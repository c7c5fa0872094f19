package model_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/templates/model"
)

// page returns the names in the first column of the tables of MODEL.md, by the heading above them.
func page(t *testing.T) map[string][]string {
	t.Helper()
	content, err := os.ReadFile("../MODEL.md")
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string][]string)
	heading := ""
	quoted := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(string(content)) {
		if h, ok := strings.CutPrefix(line, "## "); ok {
			heading = strings.TrimSpace(h)
		}
		if cell, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok && strings.HasPrefix(line, "| `") {
			for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
				names[heading] = append(names[heading], m[1])
			}
			if strings.HasSuffix(strings.TrimSpace(line), "| |") {
				t.Errorf("%s: %s has no example", heading, cell)
			}
		}
	}
	return names
}

// The page lists the fields of each type that templates see, in their order, and nothing else.
func TestPage(t *testing.T) {
	want := make(map[string][]string)
	var visit func(reflect.Type)
	visit = func(rt reflect.Type) {
		switch rt.Kind() {
		case reflect.Pointer, reflect.Slice:
			visit(rt.Elem())
		case reflect.Struct:
			if want[rt.Name()] != nil {
				return
			}
			want[rt.Name()] = []string{}
			for f := range rt.Fields() {
				if f.IsExported() {
					want[rt.Name()] = append(want[rt.Name()], f.Name)
					visit(f.Type)
				}
			}
		}
	}
	visit(reflect.TypeFor[model.Input]())
	got := page(t)
	delete(got, "A template")
	delete(got, "Functions")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("MODEL.md (-code +page):\n%s", d)
	}
	if len(want) != 12 {
		t.Errorf("%d types are visible", len(want))
	}
}
