package config

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// Name is the name of the file.
const Name = "rwgen.yaml"

// Config is what a file says.
type Config struct {
	// Path is the name of the file as it was given.
	Path string
	// Options are complete but for the header, if that stands in a file, and for what only the command line says, such as the version. Their Dir is
	// the directory of the file.
	Options gen.Options
	// HeaderFile is the path of the file with the header, "" if there is none.
	HeaderFile string
	// Lock is the path of the lock, "" for the default.
	Lock string

	headerAt, templatesAt token.Position
}

// Read reads the file at path, and that of the header, and looks whether the templates are there. An error is one of the file system for path itself.
func Read(path string) (*Config, diag.List, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	c, diags := Load(content, path)
	if c == nil {
		return nil, diags, nil
	}
	for _, t := range c.Options.Templates {
		full := filepath.FromSlash(t)
		if !filepath.IsAbs(full) {
			full = filepath.Join(c.Options.Dir, full)
		}
		if !exists(full) {
			diags.Addf(c.templatesAt, diag.Config, "templates: there is no file or directory %s", t)
		}
	}
	if c.HeaderFile == "" || len(diags) > 0 {
		if len(diags) > 0 {
			c = nil
		}
		return c, diags, nil
	}
	header, err := os.ReadFile(c.HeaderFile)
	if err != nil {
		what := err
		var in *fs.PathError
		if errors.As(err, &in) {
			what = in.Err
		}
		diags.Addf(c.headerAt, diag.Config, "header-file: %s: %v", diag.RelPath(c.Options.Dir, c.HeaderFile), what)
		return nil, diags, nil
	}
	c.Options.Header = string(header)
	if err := gen.CheckHeader(c.Options.Header); err != nil {
		diags.Addf(c.headerAt, diag.Config, "header-file: the header %v", err)
		return nil, diags, nil
	}
	return c, nil, nil
}

// Load reads the content of a file. Its name is that of diagnostics, and paths in it are relative to the directory of that. The configuration is nil if there are
// diagnostics, which are sorted. It reads nothing from the disk.
func Load(content []byte, name string) (*Config, diag.List) {
	var doc document
	diags := decode(content, name, &doc)
	r := &resolver{dir: filepath.Dir(name), diags: &diags}
	c := &Config{Path: name, Options: gen.Options{
		Dir: r.dir, Header: string(doc.Header), Clean: doc.Clean, OwnDirs: true, Templates: strs(doc.Templates),
	}, Lock: r.path(doc.Lock), HeaderFile: r.path(doc.HeaderFile), headerAt: doc.at("header-file"), templatesAt: doc.at("templates")}
	if doc.Header != "" {
		if doc.HeaderFile != "" {
			diags.Addf(doc.at("header-file"), diag.Config, "there is a header already, so there is no need for a file with one").Hint = "one of header and header-file"
		}
		if err := gen.CheckHeader(string(doc.Header)); err != nil {
			diags.Addf(doc.at("header"), diag.Config, "the header %v", err)
		}
	}
	if doc.Go == nil && doc.Schemas == nil && len(diags) == 0 {
		diags.Addf(doc.pos, diag.Config, "there is nothing to generate from: neither go nor schemas").Hint = "go: {packages: [./...]}"
	}
	if doc.Go != nil {
		r.goInput(doc.Go, &c.Options)
	}
	for i := range doc.Schemas {
		c.Options.Schemas = append(c.Options.Schemas, r.group(&doc.Schemas[i]))
	}
	if len(diags) > 0 {
		diags.Sort()
		return nil, diags
	}
	return c, nil
}

// resolver turns a document into options.
type resolver struct {
	dir   string
	diags *diag.List
}

// path returns a path of the file, "" for none.
func (r *resolver) path(p filePath) string {
	switch {
	case p == "":
		return ""
	case filepath.IsAbs(string(p)):
		return filepath.Clean(string(p))
	}
	return filepath.Join(r.dir, filepath.FromSlash(string(p)))
}

func (r *resolver) goInput(g *goInput, o *gen.Options) {
	o.Patterns = strs(g.Packages)
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"."}
	}
	o.Tags = strings.Join(strs(g.Tags), ",")
	o.Types, o.Writers, o.With = strs(g.Types), strs(g.Writers), strs(g.With)
	o.Format = string(g.Format)
	o.Output = filepath.FromSlash(string(g.Output))
}

func (r *resolver) group(g *group) gen.Schemas {
	s := gen.Schemas{
		Files: strs(g.Files), Language: gen.Language(g.Language), Roots: strs(g.Roots), Format: string(g.Format), With: strs(g.With), Pos: g.at("files"),
	}
	if len(g.Files) == 0 && g.keys != nil {
		if _, ok := g.keys["files"]; ok && !r.reported(g.at("files")) {
			r.diags.Addf(g.at("files"), diag.Config, "a group of schemas without files")
		}
	}
	namespaces := make(map[string]token.Position)
	for i := range g.Packages {
		p := &g.Packages[i]
		name := "*"
		if p.Namespace != nil {
			name = string(*p.Namespace)
		}
		if first, ok := namespaces[name]; ok {
			d := r.diags.Addf(p.pos, diag.Config, "namespace %q has a package already", name)
			d.Related = []diag.Related{{Pos: first, Message: "this one"}}
			d.Hint = "one entry for each namespace"
		}
		namespaces[name] = p.pos
		out := schema.Package{Dir: filepath.FromSlash(string(p.Dir)), Path: string(p.Path), Name: string(p.Name), Pos: p.pos}
		out.Namespace, out.Subspaces = gen.ParseNamespace(name)
		s.Packages = append(s.Packages, out)
	}
	records := make(map[typeName]token.Position)
	for i := range g.Records {
		t := &g.Records[i]
		if first, ok := records[t.Name]; ok && t.Name != "" {
			d := r.diags.Addf(t.pos, diag.Config, "record %s is there twice", t.Name)
			d.Related = []diag.Related{{Pos: first, Message: "the first time"}}
			d.Hint = "one entry with all writers"
		}
		records[t.Name] = t.pos
		s.Records = append(s.Records, record(t, r.diags))
	}
	return s
}

// reported says whether there is a diagnostic at pos.
func (r *resolver) reported(pos token.Position) bool {
	for _, d := range *r.diags {
		if d.Pos == pos {
			return true
		}
	}
	return false
}

func record(t *schemaType, diags *diag.List) schema.Record {
	out := schema.Record{Name: string(t.Name), Writers: strs(t.Writers), SingleObject: t.SingleObject, Pos: t.pos}
	for i := range t.Writers {
		out.WriterPos = append(out.WriterPos, t.at(itemKey("writers", i)))
	}
	for _, name := range t.With {
		with, _ := ir.ParseWith(string(name))
		if out.With.Has(with) && with != 0 {
			diags.Addf(t.at("with"), diag.Config, "with: %s stands here twice", name)
		}
		out.With |= with
	}
	if t.Format != "" {
		if format, ok := ir.ParseFormat(string(t.Format)); ok {
			out.Format = &format
			if t.SingleObject && format != ir.AvroBinary {
				diags.Addf(t.at("single-object"), diag.Config, "single-object encoding is one of the format avro, not of %s", format)
			}
		}
	}
	return out
}

// strs returns strings of another type as such.
func strs[S ~string](in []S) []string {
	if len(in) == 0 {
		return nil
	}
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = string(s)
	}
	return out
}

// Find looks for the file in dir and the directories above, up to the first that holds go.mod or .git: a configuration is about one module or repository. It returns "" if
// there is none.
func Find(dir string) (path string, err error) {
	for {
		path := filepath.Join(dir, Name)
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.IsDir():
			return path, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		if other := filepath.Join(dir, "rwgen.yml"); exists(other) {
			return "", fmt.Errorf("%s is not looked for: rename it to %s, or name it with -config", other, Name)
		}
		parent := filepath.Dir(dir)
		if parent == dir || exists(filepath.Join(dir, "go.mod")) || exists(filepath.Join(dir, ".git")) {
			return "", nil
		}
		dir = parent
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
