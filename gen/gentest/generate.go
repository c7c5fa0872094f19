package gentest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
)

// generate runs the generator for all cases: once for those without settings that should succeed, once for those that should not, and once for each of the others.
func (b *batch) generate(ctx context.Context) error {
	var good, bad, single []*testCase
	for _, c := range b.cases {
		wants := c.wants()
		switch _, diagnosed := wants[wantDiagnostics]; {
		case len(c.problems) > 0:
		case c.some || c.alone() || len(wants) == 0:
			single = append(single, c)
		case diagnosed:
			bad = append(bad, c)
		default:
			good = append(good, c)
		}
	}
	left, err := b.together(ctx, bad)
	if err != nil {
		return err
	}
	single = append(single, left...)
	// Diagnostics for one case keep the others from being generated, so these have another try.
	for len(good) > 0 {
		if left, err = b.together(ctx, good); err != nil {
			return err
		}
		if len(left) == len(good) {
			single = append(single, left...)
			break
		}
		good = left
	}
	return each(single, func(c *testCase) error { return b.one(ctx, c) })
}

// together runs the generator once for several cases of the shared module. It returns those about which it has said nothing: all of them if it is
// not clear which case a diagnostic is about, otherwise those that would have succeeded without the others.
func (b *batch) together(ctx context.Context, cases []*testCase) (left []*testCase, err error) {
	if len(cases) == 0 {
		return nil, nil
	}
	o := gen.Options{Dir: b.shared(), Env: environ(nil)}
	for _, c := range cases {
		o.Patterns = append(o.Patterns, "./"+c.name+"/...")
	}
	r, err := gen.Generate(ctx, o)
	if err != nil {
		return nil, err
	}
	byCase := make(map[*testCase]diag.List)
	for _, d := range r.Diagnostics {
		c := caseOf(cases, d.Pos.Filename)
		if c == nil {
			return cases, nil
		}
		byCase[c] = append(byCase[c], d)
	}
	if len(r.Diagnostics) > 0 {
		for _, c := range cases {
			if len(byCase[c]) == 0 {
				left = append(left, c)
			} else if c.diags, err = rendered(byCase[c], c.root, c.root); err != nil {
				return nil, err
			}
		}
		return left, nil
	}
	for _, f := range r.Files {
		if c := caseOf(cases, f.Path); c != nil {
			c.add(f)
		}
	}
	// From another directory, with the output in place.
	o.Dir, o.Patterns = cases[0].root, nil
	for _, c := range cases {
		o.Patterns = append(o.Patterns, c.module+"/...")
	}
	return nil, b.again(ctx, r, o, cases)
}

// one runs the generator for one case.
func (b *batch) one(ctx context.Context, c *testCase) error {
	o := c.options
	o.Dir = filepath.Join(c.root, filepath.FromSlash(o.Dir))
	if info, err := os.Stat(o.Dir); err != nil || !info.IsDir() {
		c.problemf("dir: %s is no directory of the case", c.options.Dir)
		return nil
	}
	o.Env = append(environ(c), c.env...)
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	r, err := gen.Generate(ctx, o)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		c.problemf("%s", strings.ReplaceAll(err.Error(), c.root, "$DIR"))
		return nil
	}
	if len(r.Diagnostics) > 0 {
		c.diags, err = rendered(r.Diagnostics, o.Dir, c.root)
		return err
	}
	for _, f := range r.Files {
		c.add(f)
	}
	return b.again(ctx, r, o, []*testCase{c})
}

// add notes a generated file.
func (c *testCase) add(f gen.File) {
	rel, err := filepath.Rel(c.root, f.Path)
	if err != nil {
		rel = f.Path
	}
	if c.got == nil {
		c.got = make(map[string][]byte)
	}
	c.got[filepath.ToSlash(rel)] = f.Content
}

// again writes the result and generates once more, which must make no difference.
func (b *batch) again(ctx context.Context, r *gen.Result, o gen.Options, cases []*testCase) error {
	if _, err := r.Write(); err != nil {
		return err
	}
	second, err := gen.Generate(ctx, o)
	if err != nil {
		return err
	}
	for _, d := range second.Diagnostics {
		for _, c := range cases {
			if d.Pos.Filename == "" || caseOf(cases, d.Pos.Filename) == c {
				c.problemf("another run reports: %v", d)
			}
		}
	}
	for _, f := range second.Files {
		if c := caseOf(cases, f.Path); c != nil && !bytes.Equal(f.Old, f.Content) {
			c.problemf("another run changes %s (-first +second):\n%s", filepath.Base(f.Path), diffLines(string(f.Old), string(f.Content)))
		}
	}
	return nil
}

// caseOf returns the case that a file belongs to, nil if there is none.
func caseOf(cases []*testCase, file string) *testCase {
	for _, c := range cases {
		if strings.HasPrefix(file, c.root+string(filepath.Separator)) {
			return c
		}
	}
	return nil
}

// rendered returns diagnostics as the command prints them in dir, without the path of the case.
func rendered(diags diag.List, dir, root string) (string, error) {
	var b strings.Builder
	err := diags.Write(&b, dir)
	return strings.ReplaceAll(filepath.ToSlash(b.String()), filepath.ToSlash(root), "$DIR"), err
}
