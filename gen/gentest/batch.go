package gentest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/rwgen/rwgen/gen/internal/trial"
)

// batch works on many cases at once. Cases that are no modules of their own share one.
type batch struct {
	config
	work  string // directory of everything
	cases []*testCase
	host  *trial.Host
}

// shared is the directory of the module that cases share.
func (b *batch) shared() string { return filepath.Join(b.work, "cases") }

// prepare writes the sources and makes the modules.
func (b *batch) prepare(ctx context.Context) error {
	var err error
	if b.host, err = trial.Enclosing(ctx, "."); err != nil {
		return err
	}
	if err := b.host.WriteModule(ctx, b.shared(), b.config.module); err != nil {
		return err
	}
	for _, c := range b.cases {
		c.module = path.Join(b.config.module, c.name)
		c.root = filepath.Join(b.shared(), filepath.FromSlash(c.name))
		if c.alone() {
			c.root = filepath.Join(b.work, "modules", filepath.FromSlash(c.name))
		}
		if err := c.write(); err != nil {
			return err
		}
		if !c.alone() {
			continue
		}
		if m := moduleLine.FindSubmatch(c.goMod()); m != nil {
			c.module = string(m[1])
		}
		if err := b.host.WriteModule(ctx, c.root, c.module); err != nil {
			c.problemf("%v", err)
		} else if c.vendor {
			if err := vendor(ctx, c); err != nil {
				c.problemf("%v", err)
			}
		}
	}
	return nil
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// vendor runs go mod vendor, with whatever generated code and its test import among the packages.
func vendor(ctx context.Context, c *testCase) error {
	if err := trial.Vendored(c.root); err != nil {
		return err
	}
	for _, verb := range []string{"tidy", "vendor"} {
		cmd := exec.CommandContext(ctx, "go", "mod", verb)
		cmd.Dir, cmd.Env = c.root, trial.Environ()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go mod %s: %w\n%s", verb, err, out)
		}
	}
	return nil
}

// environ returns the environment of the go command for one case, or for those that share a module.
func environ(c *testCase) []string {
	env := trial.Environ()
	if c != nil && c.vendor {
		env = append(env, "GOFLAGS=-mod=vendor")
	}
	return env
}

// check compiles, vets and runs the output.
func (b *batch) check(ctx context.Context) error {
	var together, alone []*testCase
	for _, c := range b.cases {
		switch {
		case c.diags != "" || c.noCheck || len(c.got) == 0:
			// There is nothing that could be built.
			if !c.alone() {
				if err := os.RemoveAll(c.root); err != nil {
					return err
				}
			}
		case c.alone():
			alone = append(alone, c)
		default:
			together = append(together, c)
		}
	}
	if len(together) > 0 {
		if err := b.checkModule(ctx, b.shared(), b.config.module, together); err != nil {
			return err
		}
	}
	return each(alone, func(c *testCase) error { return b.checkModule(ctx, c.root, c.module, []*testCase{c}) })
}

// each calls f for each case, for as many at a time as there are processors. It returns the errors of all.
func each(cases []*testCase, f func(*testCase) error) error {
	errs := make([]error, len(cases))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, c := range cases {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			errs[i] = f(c)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// checkModule compiles, vets and runs what is in one module. As long as there are packages that cannot be built, they are removed and the rest is tried again.
func (b *batch) checkModule(ctx context.Context, dir, module string, cases []*testCase) error {
	env, flags := append(environ(nil), b.env...), b.flags
	if len(cases) == 1 && cases[0].alone() {
		env, flags = append(environ(cases[0]), b.env...), append([]string{"-tags=" + cases[0].options.Tags}, b.flags...)
	}
	for len(cases) > 0 {
		if err := trial.Checks(dir, module); err != nil {
			return err
		}
		failures, err := trial.Test(ctx, dir, env, flags...)
		if err != nil {
			return err
		}
		var rest, broken []*testCase
		for _, c := range cases {
			built := true
			for _, f := range failures {
				if owner(cases, f.Package) == c {
					c.problemf("%s", strings.ReplaceAll(f.Output, c.root, "$DIR"))
					built = built && !f.Build
				}
			}
			if built {
				rest = append(rest, c)
			} else {
				broken = append(broken, c)
			}
		}
		for _, f := range failures {
			if owner(cases, f.Package) == nil {
				return fmt.Errorf("%s: %s", f.Package, f.Output)
			}
		}
		if len(broken) == 0 || len(rest) == 0 {
			return nil
		}
		for _, c := range broken {
			if err := os.RemoveAll(c.root); err != nil {
				return err
			}
		}
		cases = rest
	}
	return nil
}

// owner returns the case that a package belongs to, nil if there is none.
func owner(cases []*testCase, pkg string) *testCase {
	for _, c := range cases {
		if pkg == c.module || strings.HasPrefix(pkg, c.module+"/") {
			return c
		}
	}
	return nil
}
