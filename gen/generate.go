package gen

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/gosrc"
	"github.com/rwgen/rwgen/gen/frontend/schema"
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
	// Patterns are package patterns as the go command takes them; default "." if there are no Schemas, and no package at all if there are some.
	Patterns []string
	// Schemas are schema files with records, each group by itself. They are read before the packages, which see the types that are made from them. No go command is needed for them.
	Schemas []Schemas
	// Stdin is the content of the schema file "-".
	Stdin []byte
	// StdinName is what that would be called as a file; its extension says the language, and names of output are made of it. Default "stdin" with the extension of the language.
	StdinName string
	// OwnDirs says that all output for schemas in the output directories of Schemas belongs to this run, so that what it does not generate is an orphan. Otherwise only output whose source has a name that
	// Schemas match is one. Templates lists all templates then, so that in the directories of packages too the output of others is an orphan.
	OwnDirs bool
	// Frontends are functions for schema languages besides, or in place of, those of this module.
	Frontends map[Language]schema.Load
	// Tags is a comma-separated list of build tags, as for go build -tags.
	Tags string
	// Types names struct types that are records without a directive. Each must exist in one of the packages.
	Types []string
	// Writers are writers in addition to those of directives, in the form "Flight.ByOrigin key=Origin".
	Writers []string
	// With names what is generated for all records besides what their directives ask for: "equal", "clone", "reset", "hash", "binary", and "test", "fuzz", "bench", "docs", which
	// have files of their own.
	With []string
	// Format is that of the records that Types name and that have no directive: "native", the default, "protobuf" or "binary".
	Format string
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
	// Progress is called when one more of total files has been generated, done of them so far; by several goroutines at the same time, and again from the beginning where a run has several steps.
	Progress func(done, total int)
}

// Result is what [Generate] has found and made.
type Result struct {
	// Files are the generated files, sorted by path. There are none if there are diagnostics.
	Files []File
	// Orphans are the absolute paths of earlier output that would not be generated any more, sorted. [Result.Write] removes them
	// only if [Options].Clean says so. Output of a template that the options do not name is none, unless all of its sources are gone or [Options].OwnDirs is set.
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
	// Inputs are the absolute paths of all files that Files depend on, sorted: schema files with what they import, the sources of packages that are part of the user's modules, and go.mod.
	Inputs []string
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

	types bool // it declares the types of a schema
	mkdir bool // its directory need not be there
}

// Generate loads the schemas and packages and generates files for their records, in memory. Faults of the input are not an error but
// diagnostics of the result. An error is one of the options (it wraps [ErrOptions]), of the file system, of the go command, or of ctx.
//
// It never runs code of the packages it loads.
func Generate(ctx context.Context, o Options) (*Result, error) {
	l, err := load(ctx, o, true)
	if err != nil {
		return nil, err
	}
	o, r := l.o, l.r
	if o.Output != "" {
		r.Diagnostics = append(r.Diagnostics, single(slices.Concat(l.in.Packages, l.in.Unsound), o.Output)...)
	}
	// After a finding in one package the others are generated all the same, to report in one run what else is wrong.
	var jobs []*job
	for i, pkg := range slices.Concat(l.in.Packages, l.in.Unsound) {
		emitter := emitterOf(pkg)
		for _, file := range pkg.Files {
			jobs = append(jobs, &job{pkg: pkg, emitter: emitter, file: file, sound: i < len(l.in.Packages)})
		}
	}
	if err := runAll(ctx, jobs, l.o); err != nil {
		return nil, err
	}
	for _, j := range slices.Concat(l.jobs, jobs) {
		r.Diagnostics = append(r.Diagnostics, j.diags...)
		if j.out.Content != nil {
			r.Files = append(r.Files, j.out)
		}
	}
	r.Diagnostics = append(r.Diagnostics, twice(slices.Concat(l.jobs, jobs))...)
	if len(r.Diagnostics) == 0 {
		if err := r.render(ctx, o, r.Packages); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(r.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	if r.Orphans, err = r.schemaOrphans(o, l.schemas); err != nil {
		return nil, err
	}
	for _, e := range l.in.Existing {
		// What was made from a schema belongs to the runs over that.
		if !e.Unloaded && !e.Schema && (o.OwnDirs || r.answersFor(e)) && !slices.ContainsFunc(r.Files, func(f File) bool { return f.Path == e.Path }) {
			r.Orphans = append(r.Orphans, e.Path)
		}
	}
	r.Orphans = sortedNames(r.Orphans)
	r.Clashes = clashes(r.Files, r.Orphans)
	return r.sound(), nil
}

// emitterOf returns a function that plans the package when it is called first.
func emitterOf(pkg *ir.Package) func() *emit.Package {
	return sync.OnceValue(func() *emit.Package { return emit.NewPackage(pkg) })
}

// twice reports files that are to be generated from two sources.
func twice(jobs []*job) diag.List {
	var diags diag.List
	first := make(map[string]*job)
	for _, j := range jobs {
		path := j.path()
		other := first[path]
		if other == nil {
			first[path] = j
			continue
		}
		diags.Addf(token.Position{Filename: path}, diag.Output, "this file would be generated for %s and for %s", other.file.Source, j.file.Source).
			Hint = "rename one of them, or give them different packages"
	}
	return diags
}

// Inspect does the first half of the work of [Generate]: it loads the packages and finds their records. The result has no files
// and no orphans. What only generating finds out, such as names that are taken, is not among its diagnostics.
func Inspect(ctx context.Context, o Options) (*Result, error) {
	l, err := load(ctx, o, false)
	if err != nil {
		return nil, err
	}
	return l.r.sound(), nil
}

// loaded is what the frontends have found.
type loaded struct {
	o       Options // with defaults
	in      *gosrc.Input
	schemas *schemaInput
	jobs    []*job // for the files of schemas; they have been run, if all of them are to be or packages depend on them
	r       *Result
}

// load runs the frontends: first those for schemas, then, with the types from these, that for packages. If all says so, all files for schemas are generated on the way.
func load(ctx context.Context, o Options, all bool) (*loaded, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	l := &loaded{in: &gosrc.Input{}, schemas: &schemaInput{}}
	if len(o.Schemas) > 0 {
		var err error
		if l.schemas, err = loadSchemas(ctx, o); err != nil {
			return nil, err
		}
	}
	l.o = o
	l.r = &Result{Packages: l.schemas.packages, Dirs: slices.Collect(maps.Keys(l.schemas.dirs)), Inputs: l.schemas.files, Diagnostics: l.schemas.diags, clean: o.Clean}
	for _, pkg := range l.schemas.packages {
		emitter := emitterOf(pkg)
		for _, file := range pkg.Files {
			if file.DeclOutput != "" && len(file.Decls) > 0 {
				l.jobs = append(l.jobs, &job{pkg: pkg, emitter: emitter, file: file, sound: true, schema: true, decls: true, around: l.schemas.around[pkg]})
			}
			if len(file.Records) > 0 {
				l.jobs = append(l.jobs, &job{pkg: pkg, emitter: emitter, file: file, sound: true, schema: true})
			}
		}
	}
	if all || len(o.Patterns) > 0 {
		if err := runAll(ctx, l.jobs, o); err != nil {
			return nil, err
		}
	}
	if len(o.Patterns) > 0 && len(l.r.Diagnostics) == 0 { // faults of schemas would come back from the packages that use their types
		if err := l.packages(ctx); err != nil {
			return nil, err
		}
	}
	slices.Sort(l.r.Dirs)
	l.r.Dirs = slices.Compact(l.r.Dirs)
	l.r.Inputs = sortedNames(l.r.Inputs)
	return l, nil
}

// packages runs the frontend for Go packages.
func (l *loaded) packages(ctx context.Context) error {
	o, r := l.o, l.r
	overlay := maps.Clone(o.Overlay)
	if overlay == nil {
		overlay = make(map[string][]byte)
	}
	for _, j := range l.jobs {
		if j.decls && j.out.Content != nil {
			overlay[j.out.Path] = j.out.Content
		}
	}
	in, diags, err := gosrc.Load(ctx, gosrc.Config{
		Dir: o.Dir, Env: o.Env, Patterns: o.Patterns, Tags: o.Tags, Types: o.Types, Writers: o.Writers, With: o.With, Format: o.Format,
		Output: o.Output, Overlay: overlay,
	})
	if err != nil {
		return err
	}
	l.in = in
	r.Packages = slices.Concat(r.Packages, in.Packages)
	slices.SortStableFunc(r.Packages, func(a, b *ir.Package) int { return cmp.Compare(a.Path, b.Path) })
	r.Dirs, r.Inputs, r.Diagnostics = append(r.Dirs, in.Dirs...), append(r.Inputs, in.Files...), append(r.Diagnostics, diags...)
	for i, e := range in.Existing {
		if e.Unloaded {
			r.Unloaded = append(r.Unloaded, e.Path)
		}
		if sources, _ := originOf(e.Path); len(sources) > 0 {
			in.Existing[i].Schema = isSchemaName(sources[0])
		}
	}
	return l.reserve()
}

// reserve makes the names that output for schemas declares taken in Go packages of the same directories, which depend on it, not the other way round: that of this run, and of earlier ones over other schemas.
func (l *loaded) reserve() error {
	made := make(map[string][]byte)
	for _, j := range l.jobs {
		made[j.path()] = j.out.Content
	}
	for _, pkg := range slices.Concat(l.in.Packages, l.in.Unsound) {
		var names []string
		add := func(path string, content []byte) {
			if f := parse(path, content); f != nil && f.Name.Name == pkg.Name {
				for _, id := range declarations(f) {
					names = append(names, id.Name)
				}
			}
		}
		for path, content := range made {
			if content != nil && sameDir(filepath.Dir(path), pkg.Dir) {
				add(path, content)
			}
		}
		for _, e := range l.in.Existing {
			if _, ok := made[e.Path]; !ok && e.Schema && filepath.Dir(e.Path) == pkg.Dir {
				add(e.Path, nil)
			}
		}
		if len(names) > 0 {
			pkg.Scope = merge(pkg.Scope, names...)
		}
	}
	return nil
}

// complete checks options and fills in defaults.
func (o *Options) complete() error {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	o.Dir = dir
	if !isDir(dir) {
		return fmt.Errorf("%w: there is no directory %s", ErrOptions, dir)
	}
	if len(o.Patterns) == 0 && len(o.Schemas) == 0 {
		o.Patterns = []string{"."}
	}
	if len(o.Patterns) == 0 && (len(o.Types) > 0 || len(o.Writers) > 0 || o.Tags != "" || o.Output != "") {
		remedy := ""
		if len(o.Types) > 0 {
			remedy = ": types of schemas are records by -record " + strings.Join(o.Types, " -record ")
		}
		return fmt.Errorf("%w: types, writers, build tags and the single output are those of Go packages, and there are only schemas%s", ErrOptions, remedy)
	}
	if o.Output != "" {
		if !strings.HasSuffix(o.Output, ".go") {
			return fmt.Errorf("%w: the output %s is no .go file", ErrOptions, o.Output)
		}
		if !filepath.IsAbs(o.Output) {
			o.Output = filepath.Join(dir, o.Output)
		}
	}
	o.Version = cmp.Or(o.Version, "(devel)")
	if err := emit.CheckHeader(o.Header); err != nil {
		return fmt.Errorf("%w: the header %w", ErrOptions, err)
	}
	return o.completeStdin()
}

// completeStdin checks that standard input is one file of one group, and gives it a name.
func (o *Options) completeStdin() error {
	uses := 0
	var language Language
	for _, s := range o.Schemas {
		for _, name := range s.Files {
			if name == stdin {
				uses++
				language = s.Language
			}
		}
	}
	switch {
	case uses == 0:
		return nil
	case uses > 1:
		return fmt.Errorf("%w: standard input is named %d times, and can be read once", ErrOptions, uses)
	case o.StdinName == "":
		extension, ok := map[Language]string{Avro: ".avsc", Proto: ".proto", Descriptors: ".binpb"}[language]
		if !ok && language == "" {
			return fmt.Errorf("%w: the language of a schema on standard input has to be said", ErrOptions)
		}
		o.StdinName = "stdin" + cmp.Or(extension, "."+string(language))
	case filepath.Base(o.StdinName) != o.StdinName:
		return fmt.Errorf("%w: the name of standard input, %q, has a directory", ErrOptions, o.StdinName)
	}
	return nil
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
