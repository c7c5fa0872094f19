package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// TestCommitted compares the committed loops with those that are generated now.
func TestCommitted(t *testing.T) {
	committed, err := filepath.Glob(filepath.Join("..", "..", "peers", "*", output))
	if err != nil {
		t.Fatal(err)
	}
	if len(committed) < 8 {
		t.Fatalf("%d files, want one for each peer", len(committed))
	}
	for _, name := range committed {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files, err := parse(filepath.Dir(name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := generate(files)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if string(got) != string(want) {
			t.Errorf("%s has changed: run go generate", name)
		}
	}
}

// TestNoCodecs wants an error for a package without codecs.
func TestNoCodecs(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n\ntype s struct{ int }\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := generate([]*ast.File{f}); err == nil {
		t.Error("no error")
	}
}
