package gen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/gosrc"
	"github.com/rwgen/rwgen/gen/ir"
)

// ErrOptions is wrapped by the errors of [Generate] for options that no input could make right.
var ErrOptions = gosrc.ErrConfig

// Options say what to generate. The zero value generates for the package in the current directory.
type Options struct {
	// Dir is the directory that patterns and Output are relative to; default the current one.
	Dir string
	// Env is the environment of the go command, in the form of [os.Environ]; nil stands for that of the process.
	Env []string
	// Patterns are package patterns as the go command takes them; default ".".
	Patterns []string
	// Tags is a comma-separated list of build tags, as for go build -tags.
	Tags string
	// Types names struct types that are records without a directive. Each must exist in one of the packages.
	Types []string
	// Writers are writers in addition to those of directives, in the form "Flight.ByOrigin key=Origin".
	Writers []string
	// Output is the name of a single file for all records, which must all be in one package; default one file per source.
	Output string
	// Header is text below the first lines of each file, such as a licence. Lines that are no comments become comments.
	Header string
	// Version is the version of the generator that the files name; default "(devel)".
	Version string
	// Overlay replaces the content of source files, by absolute path.
	Overlay map[string][]byte
}

// Result is what [Generate] has found and made.
type Result struct {
	// Files are the generated files, sorted by path. There are none if there are diagnostics.
	Files []File
	// Orphans are the absolute paths of earlier output that would not be generated any more, sorted. They are not removed by
	// [Result.Write].
	Orphans []string
	// Diagnostics say what is wrong with the input, sorted. Their file names are absolute.
	Diagnostics diag.List
}

// File is one generated file.
type File struct {
	Path    string // absolute
	Content []byte
	// Old is what the disk held when the file was generated, nil if there was no file.
	Old []byte
}

// Generate loads the packages and generates files for their records, in memory. Faults of the input are not an error but
// diagnostics of the result. An error is one of the options (it wraps [ErrOptions]), of the file system, of the go command, or of ctx.
//
// It never runs code of the packages it loads.
func Generate(ctx context.Context, o Options) (*Result, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	o.Dir = dir
	if o.Output != "" {
		if !strings.HasSuffix(o.Output, ".go") {
			return nil, fmt.Errorf("%w: the output %s is no .go file", ErrOptions, o.Output)
		}
		if !filepath.IsAbs(o.Output) {
			o.Output = filepath.Join(dir, o.Output)
		}
	}
	if err := emit.CheckHeader(o.Header); err != nil {
		return nil, fmt.Errorf("%w: the header %w", ErrOptions, err)
	}
	in, diags, err := gosrc.Load(ctx, gosrc.Config{
		Dir: dir, Env: o.Env, Patterns: o.Patterns, Tags: o.Tags, Types: o.Types, Writers: o.Writers,
		Output: o.Output, Overlay: o.Overlay,
	})
	if err != nil {
		return nil, err
	}
	r := &Result{Diagnostics: diags}
	if o.Output != "" {
		r.Diagnostics = append(r.Diagnostics, single(slices.Concat(in.Packages, in.Unsound), o.Output)...)
	}
	// After a finding in one package the others are generated all the same, to report in one run what else is wrong.
	for i, pkg := range slices.Concat(in.Packages, in.Unsound) {
		for _, file := range pkg.Files {
			if err := r.add(pkg, file, o, i < len(in.Packages)); err != nil {
				return nil, err
			}
		}
	}
	r.Diagnostics.Sort()
	if len(r.Diagnostics) > 0 {
		return &Result{Diagnostics: r.Diagnostics}, nil
	}
	slices.SortFunc(r.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	for _, e := range in.Existing {
		if !e.Unloaded && !slices.ContainsFunc(r.Files, func(f File) bool { return f.Path == e.Path }) {
			r.Orphans = append(r.Orphans, e.Path)
		}
	}
	return r, nil
}

// add generates one file and adds it to the result, or what stands in its way to the diagnostics. For a package that is not sound
// it only looks at what stands in the way.
func (r *Result) add(pkg *ir.Package, file *ir.File, o Options, sound bool) error {
	f := File{Path: filepath.Join(pkg.Dir, file.Output)}
	var err error
	f.Old, err = os.ReadFile(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case isDir(f.Path):
		r.Diagnostics.Addf(token.Position{Filename: f.Path}, diag.Output,
			"a directory is in the way of generated code for %s", file.Source).
			Hint = "rename it"
		return nil
	case err != nil:
		return err
	case !gosrc.IsOwn(f.Old):
		r.Diagnostics.Addf(token.Position{Filename: f.Path}, diag.Output,
			"this file is in the way of generated code for %s: it has no line %q", file.Source, ir.Header).
			Hint = "rename it, or remove it if it is damaged output"
		return nil
	}
	if !sound {
		return nil
	}
	f.Content, err = emit.File(pkg, file, emit.Options{Version: cmp.Or(o.Version, "(devel)"), Header: o.Header})
	var diags diag.List
	switch {
	case errors.As(err, &diags):
		r.Diagnostics = append(r.Diagnostics, diags...)
	case err != nil:
		return fmt.Errorf("generating %s: %w", f.Path, err)
	default:
		r.Files = append(r.Files, f)
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sameDir reports whether two paths lead to the same directory, whatever links there are on the way.
func sameDir(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return a == b || errX == nil && errY == nil && os.SameFile(x, y)
}

// single joins the files of the only package into one at path.
func single(pkgs []*ir.Package, path string) diag.List {
	var diags diag.List
	at := token.Position{Filename: path}
	if len(pkgs) > 1 {
		names := make([]string, len(pkgs))
		for i, p := range pkgs {
			names[i] = p.Path
		}
		diags.Addf(at, diag.Output, "one output file for the records of %d packages: %s", len(pkgs), strings.Join(names, ", ")).
			Hint = "run rwgen once for each package, or without -o"
		return diags
	}
	for _, p := range pkgs {
		out := *p.Files[0]
		out.Output = filepath.Base(path)
		if dir := filepath.Dir(path); !sameDir(dir, p.Dir) {
			diags.Addf(at, diag.Output, "generated code belongs into the directory of its records, which is %s", p.Dir).
				Hint = "-o " + filepath.Join(p.Dir, out.Output)
		}
		for _, f := range p.Files[1:] {
			if f.Test != out.Test || f.Constraint != out.Constraint {
				diags.Addf(at, diag.Output, "%s and %s are not built under the same conditions, so one file cannot serve both",
					p.Files[0].Source, f.Source).Hint = "run rwgen without -o"
			}
			out.Source += ", " + f.Source
			out.Records = append(slices.Clip(out.Records), f.Records...)
		}
		if out.Test != strings.HasSuffix(out.Output, "_test.go") {
			diags.Addf(at, diag.Output, "the name of the output must end in _test.go if, and only if, those of the sources do")
		}
		p.Files = []*ir.File{&out}
	}
	return diags
}
