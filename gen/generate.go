package gen

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

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
	// With names what is generated for all records besides what their directives ask for: "equal", "clone", "reset", "hash", "binary", and "test", "fuzz", "bench", "docs", which
	// have files of their own.
	With []string
	// Templates are files and directories of templates, see package templates, relative to Dir. Their output is part of Files.
	Templates []string
	// Output is the name of a single file for all records, which must all be in one package; default one file per source.
	Output string
	// Header is text below the first lines of each file, such as a licence. Lines that are no comments become comments.
	Header string
	// Version is the version of the generator that the files name; default "(devel)".
	Version string
	// Overlay replaces the content of source files, by absolute path.
	Overlay map[string][]byte
	// Clean makes [Result.Write] remove the orphans.
	Clean bool
}

// Result is what [Generate] has found and made.
type Result struct {
	// Files are the generated files, sorted by path. There are none if there are diagnostics.
	Files []File
	// Orphans are the absolute paths of earlier output that would not be generated any more, sorted. [Result.Write] removes them
	// only if [Options].Clean says so. Output of a template that the options do not name is none, unless all of its sources are gone.
	Orphans []string
	// Clashes name the orphans that declare what Files declare too, so that the package cannot be built with both. They keep
	// [Result.Write] from writing, unless it removes the orphans.
	Clashes diag.List
	// Unloaded are the absolute paths of earlier output of sources that are not part of this build, sorted. Nothing is known of these.
	Unloaded []string
	// Dirs are the absolute directories that the patterns match, sorted, whether or not there are records.
	Dirs []string
	// Packages are the representations of the packages that Files were made from, sorted by import path. They are shared, not
	// copied, and must not be changed.
	Packages []*ir.Package
	// Diagnostics say what is wrong with the input, sorted. Their file names are absolute.
	Diagnostics diag.List

	clean     bool
	templates map[string]bool // base names of the files of the options' templates, and of the built-in ones
}

// File is one generated file.
type File struct {
	Path    string // absolute
	Content []byte
	// Old is what the disk held when the file was generated, nil if there was no file.
	Old []byte
	// Template is the base name of the template that has made the file, empty for serializers, writers and readers.
	Template string
}

// Generate loads the packages and generates files for their records, in memory. Faults of the input are not an error but
// diagnostics of the result. An error is one of the options (it wraps [ErrOptions]), of the file system, of the go command, or of ctx.
//
// It never runs code of the packages it loads.
func Generate(ctx context.Context, o Options) (*Result, error) {
	o, in, r, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.Output != "" {
		r.Diagnostics = append(r.Diagnostics, single(slices.Concat(in.Packages, in.Unsound), o.Output)...)
	}
	// After a finding in one package the others are generated all the same, to report in one run what else is wrong.
	var jobs []*job
	for i, pkg := range slices.Concat(in.Packages, in.Unsound) {
		emitter := sync.OnceValue(func() *emit.Package { return emit.NewPackage(pkg) })
		for _, file := range pkg.Files {
			jobs = append(jobs, &job{pkg: pkg, emitter: emitter, file: file, sound: i < len(in.Packages)})
		}
	}
	if err := runAll(ctx, jobs, emit.Options{Version: cmp.Or(o.Version, "(devel)"), Header: o.Header}); err != nil {
		return nil, err
	}
	for _, j := range jobs {
		r.Diagnostics = append(r.Diagnostics, j.diags...)
		if j.out.Content != nil {
			r.Files = append(r.Files, j.out)
		}
	}
	if len(r.Diagnostics) == 0 {
		if err := r.render(ctx, o, in.Packages); err != nil {
			return nil, err
		}
	}
	for _, e := range in.Existing {
		if !e.Unloaded && r.answersFor(e) && !slices.ContainsFunc(r.Files, func(f File) bool { return f.Path == e.Path }) {
			r.Orphans = append(r.Orphans, e.Path)
		}
	}
	slices.SortFunc(r.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	r.Clashes = clashes(r.Files, r.Orphans)
	return r.sound(), nil
}

// Inspect does the first half of the work of [Generate]: it loads the packages and finds their records. The result has no files
// and no orphans. What only generating finds out, such as names that are taken, is not among its diagnostics.
func Inspect(ctx context.Context, o Options) (*Result, error) {
	_, _, r, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	return r.sound(), nil
}

// load returns the options with their defaults, what the frontend has found, and a result with what is known from that.
func load(ctx context.Context, o Options) (Options, *gosrc.Input, *Result, error) {
	fail := func(err error) (Options, *gosrc.Input, *Result, error) { return o, nil, nil, err }
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return fail(err)
	}
	o.Dir = dir
	if !isDir(dir) {
		return fail(fmt.Errorf("%w: there is no directory %s", ErrOptions, dir))
	}
	if o.Output != "" {
		if !strings.HasSuffix(o.Output, ".go") {
			return fail(fmt.Errorf("%w: the output %s is no .go file", ErrOptions, o.Output))
		}
		if !filepath.IsAbs(o.Output) {
			o.Output = filepath.Join(dir, o.Output)
		}
	}
	if err := emit.CheckHeader(o.Header); err != nil {
		return fail(fmt.Errorf("%w: the header %w", ErrOptions, err))
	}
	in, diags, err := gosrc.Load(ctx, gosrc.Config{
		Dir: dir, Env: o.Env, Patterns: o.Patterns, Tags: o.Tags, Types: o.Types, Writers: o.Writers, With: o.With,
		Output: o.Output, Overlay: o.Overlay,
	})
	if err != nil {
		return fail(err)
	}
	r := &Result{Packages: in.Packages, Dirs: in.Dirs, Diagnostics: diags, clean: o.Clean}
	for _, e := range in.Existing {
		if e.Unloaded {
			r.Unloaded = append(r.Unloaded, e.Path)
		}
	}
	return o, in, r, nil
}

// sound returns r, or a result with nothing but the diagnostics if there are any.
func (r *Result) sound() *Result {
	if len(r.Diagnostics) == 0 {
		return r
	}
	r.Diagnostics.Sort()
	return &Result{Diagnostics: r.Diagnostics}
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
