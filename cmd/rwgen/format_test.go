package main

import (
	"errors"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/diag"
)

func odd() diag.List {
	return diag.List{
		{Pos: token.Position{Filename: "/m/a,b:c.go", Line: 3}, Category: diag.Field, Message: "100%\r\nsure <&>", Hint: `a "b"`,
			Related: []diag.Related{{Pos: token.Position{Filename: "/m/d.go", Line: 1, Column: 2}, Message: "there"}}},
		{Category: diag.Load, Message: "nowhere"},
	}
}

func TestGitHub(t *testing.T) {
	var b strings.Builder
	if err := writeGitHub(&b, odd(), "/m"); err != nil {
		t.Fatal(err)
	}
	want := "::error file=a%2Cb%3Ac.go,line=3,title=rwgen field::100%25%0D%0Asure <&>%0Ad.go:1: there%0Atry: a \"b\"\n" +
		"::error title=rwgen load::nowhere\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	if err := writeJSON(&b, odd(), "/m"); err != nil {
		t.Fatal(err)
	}
	want := `{"file":"a,b:c.go","line":3,"category":"field","message":"100%\r\nsure <&>","hint":"a \"b\"",` +
		`"related":[{"file":"d.go","line":1,"col":2,"message":"there"}]}` + "\n" +
		`{"category":"load","message":"nowhere"}` + "\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestFormatErrors(t *testing.T) {
	if writeGitHub(fullDisk{}, odd(), "") == nil || writeJSON(fullDisk{}, odd(), "") == nil {
		t.Error("no error")
	}
}

func TestTypes(t *testing.T) {
	for list, want := range map[string][]string{
		"A":                                  {"A"},
		"A, B,,C":                            {"A", "B", "C"},
		"Pair[string,int],B":                 {"Pair[string,int]", "B"},
		"Map[string,Pair[int,[2]bool]], A,B": {"Map[string,Pair[int,[2]bool]]", "A", "B"},
		"Open[string,int":                    {"Open[string,int"},
		"":                                   nil,
	} {
		f := &flags{}
		if err := f.addTypes(list); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, f.types); d != "" {
			t.Errorf("%q (-want +got):\n%s", list, d)
		}
	}
}

func TestPackageName(t *testing.T) {
	for dir, want := range map[string]string{
		"flights": "flights", "New-Flights": "newflights", "2fast": "fast", "go": "records", "…": "records", "type": "records",
	} {
		if got := packageName(dir); got != want {
			t.Errorf("packageName(%q) = %q, want %q", dir, got, want)
		}
	}
}
