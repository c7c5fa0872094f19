package gentest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

// Run tests each case below dir, that is each file x.txtar, in a parallel subtest named after the file. The test must run in a directory of a module
// that requires rwgen, as tests do.
//
// The work for all cases that the flag -run selects is done at once, when the first of the subtests gets its turn; so the times that go test shows for single cases
// mean little.
func Run(t *testing.T, dir string, options ...Option) {
	t.Helper()
	cfg := config{module: "example.com/cases"}
	for _, o := range options {
		o(&cfg)
	}
	cases, err := findCases(dir)
	if err != nil {
		t.Fatal(err)
	}
	// Resolved, because the go command and the loader print resolved paths.
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var selected []*testCase
	runAll := sync.OnceValue(func() error { return runCases(t.Context(), work, cfg, selected) })
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			selected = append(selected, c)
			t.Parallel() // until all subtests have come this far
			if err := runAll(); err != nil {
				t.Fatal(err)
			}
			c.report(t, cfg.update)
		})
	}
}

// runCases generates, compares and checks the cases in the directory work. What it finds becomes problems of the cases; an error is one that concerns all of them.
func runCases(ctx context.Context, work string, cfg config, cases []*testCase) error {
	b := &batch{config: cfg, work: work, cases: cases}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	if err := b.generate(ctx); err != nil {
		return err
	}
	for _, c := range cases {
		if !cfg.update && len(c.problems) == 0 {
			c.compare()
		}
	}
	return b.check(ctx)
}

// report fails the test with the problems of the case, or rewrites the archive.
func (c *testCase) report(t *testing.T, update bool) {
	t.Helper()
	for _, p := range c.problems {
		t.Error(p)
	}
	if update && c.rewrite() {
		if err := os.WriteFile(c.file, txtar.Format(c.archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
