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
	"github.com/rwgen/rwgen/templates"
	"github.com/rwgen/rwgen/templates/model"
)

// templateSet is templates together with where they come from.
type templateSet struct {
	*templates.Set
	dir  string                   // absolute, of the files; empty for a built-in template
	only func(*model.Record) bool // which records it is for; nil for all
}

// render adds what templates make of packages: the built-in ones that records ask for, then those of the user. It must be called when the other files of the packages are known, and only if all is well so far.
func (r *Result) render(ctx context.Context, o Options, pkgs []*ir.Package) error {
	sets, err := r.templateSets(o, pkgs)
	if err != nil || len(sets) == 0 || len(r.Diagnostics) > 0 {
		return err
	}
	by := make(map[string]string)
	for _, f := range r.Files {
		by[f.Path] = "generated code"
	}
	options := templates.Options{Version: o.Version}
	if o.Header != "" {
		options.Header = emit.AsComment(o.Header)
	}
	for _, pkg := range pkgs {
		m := model.New(pkg)
		options.Names = templates.NewNames(m, pkg.Scope, pkg.FileNames)
		for _, set := range sets {
			options.Select = set.only
			outputs, err := set.Render(ctx, m, options)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			var fault *templates.Error
			switch {
			case errors.As(err, &fault):
				set.report(&r.Diagnostics, pkg, fault)
				continue
			case err != nil:
				return err
			}
			for _, out := range outputs {
				f := File{Path: filepath.Join(pkg.Dir, out.Name), Content: out.Content, Template: out.Template, mkdir: true}
				if other := by[f.Path]; other != "" {
					r.Diagnostics.Addf(token.Position{Filename: f.Path}, diag.Output, "two outputs with this name: of %s, and of template %s", other, out.Template).
						Hint = "another output: in the template"
					continue
				}
				by[f.Path] = "template " + out.Template
				if err := r.place(&f, out.Template); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// answersFor reports whether a run can say that an earlier output would not be generated any more: not if that is the affair of a run with another template.
func (r *Result) answersFor(e gosrc.Existing) bool {
	return e.Template == "" || e.Gone || r.templates[e.Template]
}

// place adds the output of a template to the files, unless something is in its way.
func (r *Result) place(f *File, template string) error {
	at := token.Position{Filename: f.Path}
	isGo := filepath.Ext(f.Path) == ".go"
	if _, named := gosrc.SourceName(filepath.Base(f.Path)); isGo && !named {
		r.Diagnostics.Addf(at, diag.Output, "the name of a Go file that template %s makes must end in _rw.go or _rw_test.go, by which rwgen knows its own output", template).
			Hint = "output: " + strings.TrimSuffix(filepath.Base(f.Path), ".go") + "_rw.go"
		return nil
	}
	own := gosrc.IsTemplated
	if isGo {
		own = gosrc.IsOwn
	}
	var err error
	f.Old, err = os.ReadFile(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case isDir(f.Path):
		r.Diagnostics.Addf(at, diag.Output, "a directory is in the way of what template %s makes", template).Hint = "rename it"
		return nil
	case err != nil:
		return err
	case !own(f.Old):
		r.Diagnostics.Addf(at, diag.Output, "this file is in the way of what template %s makes: it does not say %q", template, templates.Mark).
			Hint = "rename it, or remove it if it is damaged output"
		return nil
	}
	r.Files = append(r.Files, *f)
	return nil
}

// templateSets returns the templates that are to be executed, in this order: the built-in ones that any record asks for, then those of the options.
func (r *Result) templateSets(o Options, pkgs []*ir.Package) ([]templateSet, error) {
	var sets []templateSet
	r.templates = make(map[string]bool)
	for _, name := range strings.Split(ir.WithFiles.String(), ",") {
		set, err := templates.Builtin(name)
		if err != nil {
			return nil, err
		}
		for _, file := range set.Files() {
			r.templates[file] = true
		}
		with, _ := ir.ParseWith(name)
		if !slices.ContainsFunc(pkgs, func(p *ir.Package) bool { return asksFor(p, with) }) {
			continue
		}
		sets = append(sets, templateSet{Set: set, only: func(rec *model.Record) bool { return slices.Contains(rec.With, name) }})
	}
	for _, path := range o.Templates {
		if !filepath.IsAbs(path) {
			path = filepath.Join(o.Dir, path)
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%w: template: %w", ErrOptions, err)
		}
		set := templateSet{dir: path}
		if info.IsDir() {
			set.Set, err = templates.ParseDir(os.DirFS(path), ".")
		} else {
			set.dir = filepath.Dir(path)
			set.Set, err = templates.Parse(os.DirFS(set.dir), filepath.Base(path))
		}
		var fault *templates.Error
		switch {
		case errors.As(err, &fault):
			set.report(&r.Diagnostics, nil, fault)
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%w: template: %s has no files *%s", ErrOptions, path, templates.Suffix)
		case err != nil:
			return nil, err
		default:
			sets = append(sets, set)
			for _, file := range set.Files() {
				r.templates[file] = true
			}
			read, err := set.read(path)
			if err != nil {
				return nil, err
			}
			r.Inputs = merge(r.Inputs, read...)
		}
	}
	return sets, nil
}

// read returns the absolute paths of the files of templates at path: the file, or all in the directory.
func (s *templateSet) read(path string) ([]string, error) {
	if path != s.dir {
		return []string{path}, nil
	}
	return filepath.Glob(filepath.Join(escapeGlob(path), "*"+templates.Suffix))
}

// escapeGlob returns a pattern that matches the path only.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // where there is no way to escape
	}
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(path)
}

func asksFor(p *ir.Package, with ir.With) bool {
	return slices.ContainsFunc(p.Files, func(f *ir.File) bool {
		return slices.ContainsFunc(f.Records, func(rec *ir.Record) bool { return rec.With.Has(with) })
	})
}

// report adds a fault of a template to the diagnostics.
func (s *templateSet) report(diags *diag.List, pkg *ir.Package, e *templates.Error) {
	at := token.Position{Filename: filepath.Join(s.dir, e.Template), Line: e.Line, Column: e.Column}
	if s.dir == "" {
		at = token.Position{Filename: cmp.Or(e.Template, "template")}
	}
	d := diags.Addf(at, diag.Template, "%s", strings.ReplaceAll(e.Message, "\n", " "))
	for _, l := range e.Excerpt {
		pos := token.Position{Filename: e.Output, Line: l.Number}
		if pkg != nil {
			pos.Filename = filepath.Join(pkg.Dir, e.Output)
		}
		if l.Number == e.OutputLine {
			pos.Column = e.OutputColumn
		}
		d.Related = append(d.Related, diag.Related{Pos: pos, Message: l.Text})
	}
}
