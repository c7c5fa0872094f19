package emit_test

import (
	"fmt"
	"strings"
	"testing"
)

// Stale code stops compiling when the record changes, whatever form the check has.
func TestShapeCheck(t *testing.T) {
	tests := []struct {
		name, before, after string
		stays               bool // the change does not matter
	}{
		{name: "unchanged", before: "A int32; B string", after: "A int32; B string", stays: true},
		{name: "other tag", before: "A int32; B string", after: "A int32 `json:\"a\"`; B string", stays: true},
		{name: "field added", before: "A int32; B string", after: "A int32; B string; C bool"},
		{name: "field removed", before: "A int32; B string", after: "A int32"},
		{name: "field renamed", before: "A int32; B string", after: "A int32; D string"},
		{name: "type changed", before: "A int32; B string", after: "A uint32; B string"},
		{name: "named type", before: "A int32; B string", after: "A Named; B string"},
		{name: "fields swapped", before: "A int32; B int32", after: "B int32; A int32"},
		{name: "element changed", before: "A []int32", after: "A []int64"},
		{name: "embedded", before: "Named", after: "Named Named"},
		{name: "embedded alias", before: "Alias; *Number; B string", after: "Alias; *Number; B []string"},
		{name: "embedded alias of an instance", before: "*Instance; B string", after: "*Instance; B, C string"},
		{name: "embedded byte", before: "byte; *rune", after: "byte; *int32"},
		{name: "embedded aliases in unnamed structs", before: "A []struct{ Alias }; B *struct{ byte }", after: "A []struct{ Alias }; B *struct{ byte }; C bool"},
		{name: "unexported", before: "a, b int32", after: "a, b, c int32"},

		{name: "nested field added", before: "N Nested", after: "N Nested //add"},
		{name: "nested in slice", before: "N []Nested", after: "N []Nested //add"},
		{name: "nested in map and pointer", before: "N map[string]*Nested", after: "N map[string]*Nested //add"},
		{name: "unnamed struct", before: "N struct{ A int32 }", after: "N struct{ A, B int32 }"},
		{name: "unnamed struct in slice", before: "N []struct{ A int32 }", after: "N []struct{ A, B int32 }"},

		{name: "skipped: unchanged", before: skip("A int32; B string"), after: skip("A int32; B string"), stays: true},
		{name: "skipped: other type", before: "A int32; C func() `rw:\"-\"`", after: "A int32; C chan int `rw:\"-\"`", stays: true},
		{name: "skipped: field added", before: skip("A int32; B string"), after: skip("A int32; B string; D bool")},
		{name: "skipped: field removed", before: skip("A int32; B string"), after: skip("A int32")},
		{name: "skipped: field renamed", before: skip("A int32; B string"), after: skip("A int32; D string")},
		{name: "skipped: type changed", before: skip("A int32; B string"), after: skip("A uint32; B string")},
		{name: "skipped: assignable type", before: skip("A []int32"), after: skip("A List")},
		{name: "skipped: it is removed", before: skip("A int32"), after: "A int32"},

		{name: "blank: unchanged", before: "_ int32; A int32", after: "_ int64; A int32", stays: true},
		{name: "blank: type changed", before: "_ int32; A int32", after: "_ int32; A int64"},
		{name: "blank: field removed", before: "_ int32; A, B int32", after: "_ int32; A int32"},
	}
	all := sources{}
	for i, tt := range tests {
		all[fmt.Sprintf("p%d/r.go", i)] = source(tt.before)["r.go"]
	}
	output := generate(t, all)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			generated := sources{"r_rw.go": output[fmt.Sprintf("p%d/r_rw.go", i)]}
			if errs := typeErrors(t, source(tt.before), generated); len(errs) > 0 {
				t.Fatalf("fresh output does not compile: %q", errs)
			}
			errs := typeErrors(t, source(tt.after), generated)
			if tt.stays != (len(errs) == 0) {
				t.Fatalf("with the changed record: %q", errs)
			}
			if tt.stays {
				return
			}
			for _, line := range errorLines(generated, errs) {
				if strings.Contains(line, "If this does not compile") {
					return
				}
			}
			t.Errorf("no error is below a comment that explains it: %q", errs)
		})
	}
}

func skip(fields string) string { return fields + "; Skip func() `rw:\"-\"`" }

func source(fields string) sources {
	nested := "A int32"
	if fields, ok := strings.CutSuffix(fields, "//add"); ok {
		return sources{"r.go": recordSource(fields, nested+"; B string")}
	}
	return sources{"r.go": recordSource(fields, nested)}
}

func recordSource(fields, nested string) string {
	return "package p\n\n//rwgen:record\ntype Record struct {\n" + fields + "\n}\n\n" +
		"type Nested struct {\n" + nested + "\n}\n\ntype Named int32\n\ntype List []int32\n\n" +
		"type (\n\tAlias = Nested\n\tNumber = int64\n\tGeneric[T any] struct{ V T }\n\tInstance = Generic[string]\n)\n"
}

// errorLines returns the generated lines before the function that each error is in.
func errorLines(generated sources, errs []string) []string {
	var lines []string
	for _, err := range errs {
		name, rest, _ := strings.Cut(err, ":")
		number, _, _ := strings.Cut(rest, ":")
		text := strings.Split(generated[name], "\n")
		n := 0
		for _, c := range number {
			n = 10*n + int(c-'0')
		}
		for n = min(n, len(text)); n > 0; n-- {
			if strings.HasPrefix(text[n-1], "func ") && n > 2 {
				lines = append(lines, strings.Join(text[max(0, n-4):n-1], "\n"))
				break
			}
		}
	}
	return lines
}

// A package may give its types names of Go that generated code has no use for.
func TestRedeclared(t *testing.T) {
	files := sources{"r.go": "package p\n\n//rwgen:record\ntype Record struct {\n\tA any\n\tB []rune\n\tC map[rune]*any\n}\n\n" +
		"type any int\n\ntype rune struct{ S string }\n"}
	output := generate(t, files)
	if errs := typeErrors(t, files, output); len(errs) > 0 {
		t.Errorf("%q", errs)
	}
}
