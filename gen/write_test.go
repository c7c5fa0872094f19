package gen_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "same.go"), "same")
	write(t, filepath.Join(dir, "stale.go"), "package p\n")
	write(t, filepath.Join(dir, "windows.go"), "a\r\nb\r\n")
	r := &gen.Result{
		Files: []gen.File{
			{Path: filepath.Join(dir, "new.go"), Content: []byte("new")},
			{Path: filepath.Join(dir, "same.go"), Content: []byte("same"), Old: []byte("same")},
			{Path: filepath.Join(dir, "stale.go"), Content: []byte("fresh"), Old: []byte("package p\n")},
			{Path: filepath.Join(dir, "windows.go"), Content: []byte("a\nb\n"), Old: []byte("a\r\nb\r\n")},
		},
		Orphans: []string{filepath.Join(dir, "orphan.go")},
	}
	want := []gen.Change{
		{Path: filepath.Join(dir, "new.go"), Kind: gen.Missing},
		{Path: filepath.Join(dir, "orphan.go"), Kind: gen.Orphaned},
		{Path: filepath.Join(dir, "stale.go"), Kind: gen.Stale},
	}
	if diff := cmp.Diff(want, r.Changes()); diff != "" {
		t.Errorf("Changes (-want +got):\n%s", diff)
	}
	before, err := os.Stat(filepath.Join(dir, "same.go"))
	if err != nil {
		t.Fatal(err)
	}
	written, err := r.Write()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{r.Files[0].Path, r.Files[2].Path}, written); diff != "" {
		t.Errorf("Write (-want +got):\n%s", diff)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"new.go", "same.go", "stale.go", "windows.go"}) {
		t.Errorf("the directory has %v", got)
	}
	if got := read(t, r.Files[2].Path); got != "fresh" {
		t.Errorf("stale.go has %q", got)
	}
	after, err := os.Stat(filepath.Join(dir, "same.go"))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("same.go was replaced (%v)", err)
	}
	if info, err := os.Stat(r.Files[0].Path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the mode is %v (%v)", info.Mode(), err)
	}
}

// If one file cannot be written, none is, and nothing is left behind.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	r := &gen.Result{Files: []gen.File{
		{Path: filepath.Join(dir, "a.go"), Content: []byte("a")},
		{Path: filepath.Join(dir, "nosuch", "b.go"), Content: []byte("b")},
	}}
	if written, err := r.Write(); !errors.Is(err, os.ErrNotExist) || len(written) > 0 {
		t.Errorf("wrote %v, %v", written, err)
	}
	if got := names(t, dir); len(got) > 0 {
		t.Errorf("left behind: %v", got)
	}
}

// If a file cannot be renamed, Write says which ones have been, and removes its temporary files.
func TestRenameFails(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.go", "in-the-way"), "")
	r := &gen.Result{Files: []gen.File{
		{Path: filepath.Join(dir, "a.go"), Content: []byte("a")},
		{Path: filepath.Join(dir, "b.go"), Content: []byte("b")},
		{Path: filepath.Join(dir, "c.go"), Content: []byte("c")},
	}}
	written, err := r.Write()
	if err == nil || !slices.Equal(written, []string{r.Files[0].Path}) {
		t.Errorf("wrote %v, %v", written, err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.go", "b.go"}) {
		t.Errorf("the directory has %v", got)
	}
}

const source = `package m

//rwgen:record
type A struct{ X int }
`

func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "a.go"), source)
	return dir
}

// Generate leaves the disk alone, and what it returns is what the next run finds up to date.
func TestGenerate(t *testing.T) {
	dir := module(t)
	o := gen.Options{Dir: dir, Env: environ()}
	first, err := gen.Generate(t.Context(), o)
	if err != nil || len(first.Diagnostics) > 0 {
		t.Fatal(err, first.Diagnostics)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.go", "go.mod"}) {
		t.Errorf("the directory has %v", got)
	}
	if _, err := first.Write(); err != nil {
		t.Fatal(err)
	}
	second, err := gen.Generate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if changes := second.Changes(); len(second.Files) != 1 || len(changes) > 0 {
		t.Errorf("%d files, changes %v", len(second.Files), changes)
	}
}

func TestOverlay(t *testing.T) {
	dir := module(t)
	o := gen.Options{Dir: dir, Env: environ(), Overlay: map[string][]byte{
		filepath.Join(dir, "a.go"): []byte("package m\n\n//rwgen:record\ntype A struct{ C chan int }\n"),
	}}
	r, err := gen.Generate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Diagnostics) != 1 || r.Diagnostics[0].Pos.Line != 4 {
		t.Errorf("got %v", r.Diagnostics)
	}
}

func TestOptionErrors(t *testing.T) {
	for name, o := range map[string]gen.Options{
		"type":    {Types: []string{"A.B"}},
		"writer":  {Writers: []string{"W key=X"}},
		"output":  {Output: "out"},
		"pattern": {Patterns: []string{"a.go"}},
	} {
		o.Dir, o.Env = t.TempDir(), environ()
		if r, err := gen.Generate(t.Context(), o); !errors.Is(err, gen.ErrOptions) || r != nil {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	missing := filepath.Join(t.TempDir(), "nowhere")
	if _, err := gen.Generate(t.Context(), gen.Options{Dir: missing, Env: environ()}); !errors.Is(err, gen.ErrOptions) || !strings.Contains(err.Error(), missing) {
		t.Errorf("a directory that does not exist: %v", err)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gen.Generate(ctx, gen.Options{Dir: module(t), Env: environ()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Calls at the same time do not disturb each other and agree on every byte.
func TestConcurrent(t *testing.T) {
	o := gen.Options{Dir: module(t), Env: environ(), Types: []string{"A"}, Writers: []string{"A.ByX key=X", "A.All broadcast"}}
	const calls = 4
	var results [calls]*gen.Result
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			r, err := gen.Generate(t.Context(), o)
			if err != nil {
				t.Error(err)
				return
			}
			results[i] = r
		})
	}
	wg.Wait()
	for _, r := range results {
		if r == nil || len(r.Files) != 1 {
			t.Fatalf("got %+v", r)
		}
		if diff := cmp.Diff(string(results[0].Files[0].Content), string(r.Files[0].Content)); diff != "" {
			t.Errorf("(-first +other):\n%s", diff)
		}
	}
}
