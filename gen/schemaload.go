package gen

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/gosrc"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// schemaInput is what the schema files of a run ask for.
type schemaInput struct {
	packages []*ir.Package
	// dirs are the output directories, absolute, sorted, with the groups that go there.
	dirs  map[string][]int
	files []string // absolute, all that have been read
	diags diag.List
	// around has what the directories of packages hold besides output.
	around map[*ir.Package]*goPackage
}

// schemaLoader loads the groups of schemas of a run.
type schemaLoader struct {
	o   Options // complete
	in  *schemaInput
	pkg map[string]*goPackage // by directory

	mu   sync.Mutex
	read map[string]bool // files

	absolutes map[absoluteKey]string
}

// absoluteKey is a name of a file as a group has it.
type absoluteKey struct {
	group *Schemas
	name  string
}

// loadSchemas runs the frontends for all schemas. It touches nothing but the schema files, the directories that imports are looked for in, and, to know what names are taken, go.mod and Go files of the output directories.
func loadSchemas(ctx context.Context, o Options) (*schemaInput, error) {
	l := &schemaLoader{o: o, in: &schemaInput{dirs: make(map[string][]int), around: make(map[*ir.Package]*goPackage)}, pkg: make(map[string]*goPackage), read: make(map[string]bool), absolutes: make(map[absoluteKey]string)}
	users := make(map[string]int) // of directories, by group
	for i := range o.Schemas {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := l.group(i, users); err != nil {
			return nil, err
		}
	}
	for name := range l.read {
		l.in.files = append(l.in.files, name)
	}
	l.in.files = sortedNames(l.in.files)
	slices.SortFunc(l.in.packages, func(a, b *ir.Package) int { return cmp.Compare(a.Path, b.Path) })
	return l.in, nil
}

// group runs the frontend for one group.
func (l *schemaLoader) group(i int, users map[string]int) error {
	s := &l.o.Schemas[i]
	findings := len(l.in.diags)
	cfg := schema.Config{Records: s.Records}
	var err error
	if cfg.Files, err = l.files(s); err != nil {
		return err
	}
	language := l.language(s, cfg.Files)
	if cfg.Packages, err = l.places(i, users); err != nil {
		return err
	}
	if cfg.Roots, err = l.roots(s); err != nil {
		return err
	}
	for _, list := range [][]string{s.With, l.o.With} {
		for _, name := range list {
			with, ok := ir.ParseWith(name)
			if !ok {
				return fmt.Errorf("%w: with: %q is none of %s", ErrOptions, name, strings.Join(ir.Withs(), ", "))
			}
			cfg.With |= with
		}
	}
	if s.Format != "" {
		var ok bool
		if cfg.Format, ok = ir.ParseFormat(s.Format); !ok {
			return fmt.Errorf("%w: the format %q is none of %s", ErrOptions, s.Format, strings.Join(ir.Formats(), ", "))
		}
	}
	if len(l.in.diags) > findings {
		return nil
	}
	load := l.o.frontend(language)
	if load == nil {
		return fmt.Errorf("%w: there is no frontend for the schema language %q", ErrOptions, language)
	}
	pkgs, diags := load(cfg)
	for _, d := range diags {
		d.Pos = l.absolute(s, d.Pos)
		for k := range d.Related {
			d.Related[k].Pos = l.absolute(s, d.Related[k].Pos)
		}
	}
	l.in.diags = append(l.in.diags, diags...)
	if len(diags) > 0 {
		return nil
	}
	for _, p := range pkgs {
		visitPositions(p, func(pos token.Position) token.Position { return l.absolute(s, pos) })
		l.surround(p)
		l.in.packages = append(l.in.packages, p)
	}
	return nil
}

// frontend returns the function that loads a language, nil if there is none.
func (o *Options) frontend(l Language) schema.Load {
	if f := o.Frontends[l]; f != nil {
		return f
	}
	return frontends()[l]
}

// stdin is the name for standard input among [Schemas].Files.
const stdin = "-"

// files reads the files of a group, sorted by name.
func (l *schemaLoader) files(s *Schemas) ([]schema.File, error) {
	var found []string
	for _, pattern := range s.Files {
		if pattern == stdin {
			found = append(found, stdin)
			continue
		}
		if err := CheckPattern(pattern); err != nil {
			return nil, fmt.Errorf("%w: schema file %q: %w", ErrOptions, pattern, err)
		}
		matches, err := glob(l.o.Dir, pattern)
		if err != nil {
			return nil, err
		}
		if len(matches) == 0 {
			l.noMatch(s, pattern)
		}
		found = append(found, matches...)
	}
	var files []schema.File
	for _, name := range sortedNames(found) {
		if name == stdin {
			files = append(files, schema.File{Name: l.o.StdinName, Content: l.o.Stdin})
			continue
		}
		full := under(l.o.Dir, name)
		content, err := os.ReadFile(full)
		if err != nil {
			return nil, err
		}
		l.read[full] = true
		files = append(files, schema.File{Name: name, Content: content})
	}
	return files, nil
}

// noMatch reports a pattern without files.
func (l *schemaLoader) noMatch(s *Schemas, pattern string) {
	full := under(l.o.Dir, path.Clean(filepath.ToSlash(pattern)))
	if isDir(full) {
		l.in.diags.Addf(s.Pos, diag.Load, "%s is a directory, but schema files are wanted", pattern).Hint = path.Join(pattern, "**", "*.avsc")
		return
	}
	d := l.in.diags.Addf(s.Pos, diag.Load, "there is no schema file %s", pattern)
	if hasMeta(pattern) {
		d.Message = fmt.Sprintf("no schema file matches %s", pattern)
		return
	}
	entries, _ := os.ReadDir(filepath.Dir(full)) // without a directory there is no hint
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := diag.Nearest(filepath.Base(full), names); near != "" {
		d.Hint = path.Join(path.Dir(filepath.ToSlash(pattern)), near)
	}
}

// language returns the language of the files of a group.
func (l *schemaLoader) language(s *Schemas, files []schema.File) Language {
	if s.Language != "" {
		return s.Language
	}
	var first string
	var of Language
	for _, f := range files {
		switch is := languageOf(f.Name); {
		case is == "":
			l.in.diags.Addf(l.named(s, f.Name), diag.Load, "the name does not say which language of schemas this is").
				Hint = "-language avro, or language: avro in rwgen.yaml"
			if strings.EqualFold(path.Ext(f.Name), ".avdl") {
				d := l.in.diags[len(l.in.diags)-1]
				d.Message, d.Hint = "Avro IDL is not read, only the JSON that it stands for", "the .avsc or .avpr that avro-tools idl2schemata or idl makes of it"
			}
			return ""
		case of == "":
			first, of = f.Name, is
		case is != of:
			d := l.in.diags.Addf(l.named(s, f.Name), diag.Load, "this is a schema of the language %s, but others of the same group are of %s", is, of)
			d.Hint = "a group for each language"
			d.Related = []diag.Related{{Pos: l.named(s, first), Message: "one of the others"}}
			return ""
		}
	}
	return of
}

// named returns the position of a whole file.
func (l *schemaLoader) named(s *Schemas, name string) token.Position {
	return l.absolute(s, token.Position{Filename: name})
}

// roots returns the directories for imports as file systems that remember what has been read.
func (l *schemaLoader) roots(s *Schemas) ([]fs.FS, error) {
	var roots []fs.FS
	for _, root := range s.Roots {
		dir := under(l.o.Dir, filepath.ToSlash(root))
		if !isDir(dir) {
			l.in.diags.Addf(s.Pos, diag.Load, "there is no directory %s to look for imports in", root)
			continue
		}
		roots = append(roots, &recordingFS{FS: os.DirFS(dir), dir: dir, l: l})
	}
	return roots, nil
}

// recordingFS remembers the files that are opened.
type recordingFS struct {
	fs.FS
	dir string
	l   *schemaLoader
}

// Open implements [fs.FS].
func (r *recordingFS) Open(name string) (fs.File, error) {
	f, err := r.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && !info.IsDir() {
		r.l.mu.Lock()
		r.l.read[filepath.Join(r.dir, filepath.FromSlash(name))] = true
		r.l.mu.Unlock()
	}
	return f, nil
}

// places completes the packages of a group.
func (l *schemaLoader) places(i int, users map[string]int) ([]schema.Package, error) {
	s := &l.o.Schemas[i]
	given := s.Packages
	if len(given) == 0 {
		given = []schema.Package{{Subspaces: true, Pos: s.Pos}}
	}
	places := make([]schema.Package, len(given))
	for k, p := range given {
		p.Dir = under(l.o.Dir, filepath.ToSlash(p.Dir))
		if other, ok := users[p.Dir]; ok && other != i {
			l.in.diags.Addf(p.Pos, diag.Output, "another group of schemas goes to %s too, but names are made unique within a group only", diag.RelPath(l.o.Dir, p.Dir)).
				Hint = "a directory for each group, or one group if the language is the same"
		}
		users[p.Dir] = i
		if !slices.Contains(l.in.dirs[p.Dir], i) {
			l.in.dirs[p.Dir] = append(l.in.dirs[p.Dir], i)
		}
		if err := l.place(&p); err != nil {
			return nil, err
		}
		places[k] = p
	}
	return places, nil
}

// place fills in the import path and the name of a package.
func (l *schemaLoader) place(p *schema.Package) error {
	on := l.pkg[p.Dir]
	if on == nil {
		var err error
		if on, err = readGoPackage(p.Dir); err != nil {
			return err
		}
		l.pkg[p.Dir] = on
	}
	rel := diag.RelPath(l.o.Dir, p.Dir)
	if p.Path == "" {
		importPath, goMod, err := modulePath(p.Dir)
		if goMod != "" {
			l.read[goMod] = true
		}
		if err != nil {
			l.in.diags.Addf(p.Pos, diag.Load, "the import path of %s is not known: %v", rel, err).
				Hint = "give it with -path, or the key path in rwgen.yaml"
			p.Path = "unknown"
		} else {
			p.Path = importPath
		}
	}
	switch {
	case p.Name == "" && on.name != "":
		p.Name = on.name
	case p.Name == "":
		if p.Name = lastName(p.Path); !token.IsIdentifier(p.Name) {
			l.in.diags.Addf(p.Pos, diag.Name, "no name of a package can be made of the import path %s", p.Path).
				Hint = "give it with -package, or the key name in rwgen.yaml"
		}
	case !token.IsIdentifier(p.Name) || p.Name == "_":
		return fmt.Errorf("%w: %q is no name of a package", ErrOptions, p.Name)
	case on.name != "" && on.name != p.Name:
		d := l.in.diags.Addf(p.Pos, diag.Name, "the package in %s is called %s, not %s", rel, on.name, p.Name)
		d.Related = []diag.Related{{Pos: token.Position{Filename: on.clause}, Message: "by this file"}}
		d.Hint = "leave the name out"
	}
	return nil
}

// absolute makes the file name of a position in a schema absolute.
func (l *schemaLoader) absolute(s *Schemas, pos token.Position) token.Position {
	key := absoluteKey{s, pos.Filename}
	full, ok := l.absolutes[key]
	if !ok {
		full = l.absoluteName(s, pos.Filename)
		l.absolutes[key] = full
	}
	pos.Filename = full
	return pos
}

func (l *schemaLoader) absoluteName(s *Schemas, name string) string {
	local := filepath.FromSlash(name)
	if name == "" || filepath.IsAbs(local) || name == l.o.StdinName && slices.Contains(s.Files, stdin) {
		return name
	}
	full := filepath.Join(l.o.Dir, local)
	if _, err := os.Stat(full); err == nil {
		return full
	}
	for _, root := range s.Roots { // that of an import is relative to its root
		if at := filepath.Join(under(l.o.Dir, filepath.ToSlash(root)), local); l.read[at] {
			return at
		}
	}
	return full
}

// surround adds the names that its directory takes, besides output, to a package.
func (l *schemaLoader) surround(p *ir.Package) {
	on := l.pkg[p.Dir]
	if on == nil {
		return // a directory that is not one of the configuration: there is nothing to know
	}
	p.Scope, p.FileNames = merge(p.Scope, on.scope...), merge(p.FileNames, on.imports...)
	l.in.around[p] = on
}

// visitPositions replaces the positions in a package that say where something stands in a schema.
func visitPositions(p *ir.Package, change func(token.Position) token.Position) {
	seen := make(map[*ir.Type]bool)
	var visit func(t *ir.Type)
	visit = func(t *ir.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		visit(t.Elem)
		visit(t.Key)
		for _, m := range t.Members {
			visit(m)
		}
		for _, f := range t.Fields {
			f.Pos = change(f.Pos)
			visit(f.Type)
		}
	}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			d.Pos = change(d.Pos)
			visit(d.Type)
		}
		for _, r := range f.Records {
			r.Pos = change(r.Pos)
			for _, w := range r.Writers {
				w.Pos = change(w.Pos)
			}
			visit(r.Type)
		}
	}
}

// schemaOrphans returns the output of earlier runs over schemas in the output directories that is not among the files. Without [Options].OwnDirs these are only those of sources that a pattern of the
// group matches, by their names, and of templates of this run.
func (r *Result) schemaOrphans(o Options, in *schemaInput) ([]string, error) {
	made := make(map[string]bool)
	for _, f := range r.Files {
		made[f.Path] = true
	}
	var found []string
	for dir, groups := range in.dirs {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		ours := func(source string) bool {
			return o.OwnDirs || slices.ContainsFunc(groups, func(g int) bool { return o.Schemas[g].names(source) })
		}
		for _, e := range entries {
			full := filepath.Join(dir, e.Name())
			if made[full] || !e.Type().IsRegular() {
				continue
			}
			sources, template := originOf(full)
			if len(sources) > 0 && isSchemaName(sources[0]) && slices.ContainsFunc(sources, ours) && (o.OwnDirs || template == "" || r.templates[template]) {
				found = append(found, full)
			}
		}
	}
	return found, nil
}

// originOf returns what an output on the disk says of its sources, and of the template that has made it. There are no sources if the file is no output.
func originOf(path string) (sources []string, template string) {
	f, err := os.Open(path)
	if err != nil {
		return nil, ""
	}
	defer f.Close()
	const head = 4096 // bytes in which it stands
	content, err := io.ReadAll(io.LimitReader(f, head))
	if err != nil {
		return nil, ""
	}
	if template, sources = gosrc.Templated(content); template != "" {
		return sources, template
	}
	if source := sourceOf(content); source != "" && strings.HasSuffix(path, ".go") {
		return strings.Split(source, ", "), ""
	}
	return nil, ""
}

// names reports whether a pattern matches the base name of a source.
func (s *Schemas) names(source string) bool {
	return slices.ContainsFunc(s.Files, func(pattern string) bool {
		ok, err := path.Match(path.Base(filepath.ToSlash(pattern)), source)
		return ok && err == nil
	})
}

// sourceOf returns what a generated file says it was made from, "" if the file is not generated by rwgen.
func sourceOf(content []byte) string {
	if !gosrc.IsOwn(content) {
		return ""
	}
	for line := range bytes.Lines(content) {
		line = bytes.TrimRight(line, "\r\n")
		if source, ok := bytes.CutPrefix(line, []byte("// Source: ")); ok {
			return string(source)
		}
		if bytes.HasPrefix(line, []byte("package ")) {
			break
		}
	}
	return ""
}
