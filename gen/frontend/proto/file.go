package proto

import (
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/ast"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// file is one file of the schema language: a source, one of a descriptor set, or one of those that everybody has.
type file struct {
	// name is what diagnostics call it, and source the schema file that was given: another one for files of a descriptor set.
	name, source string
	// path is what it is imported as.
	path  string
	given bool // part of [schema.Config.Files]
	known bool // google/protobuf/timestamp.proto and the like, as every compiler has them

	content []byte
	tree    *ast.FileNode
	proto   *descriptorpb.FileDescriptorProto // of a descriptor set
	imports []imported
	desc    protoreflect.FileDescriptor
	failed  bool // what is wrong with it, or with what it imports, has been reported

	state int // of sorting
}

// imported is an import of a file.
type imported struct {
	path string
	pos  token.Position
	file *file
}

// read reads the files and what they import.
func (l *loader) read() {
	l.byPath, l.index = make(map[string]*file), newIndex()
	for _, f := range l.cfg.Files {
		if l.bytes += len(f.Content); l.bytes > mostBytes {
			l.fail(token.Position{Filename: f.Name}, "several runs", "the schemas have more than %d bytes", mostBytes)
			return
		}
		if name := clean(f.Name); l.isWellKnown(name) {
			continue
		} else if isSet(f.Name, f.Content) {
			l.set(f.Name, f.Content)
			continue
		}
		given := &file{name: f.Name, source: f.Name, path: clean(f.Name), given: true, content: f.Content}
		if given.content == nil {
			given.content = []byte{}
		}
		l.add(given)
		l.index.addGiven(given)
	}
	for i := 0; i < len(l.files); i++ { // which grows
		l.parse(l.files[i])
	}
	l.resolve()
}

// clean returns a name with slashes.
func clean(name string) string { return path.Clean(strings.ReplaceAll(name, `\`, "/")) }

func (l *loader) add(f *file) { l.files = append(l.files, f) }

// parse parses a source and notes its imports. Whatever is wrong with the source is reported.
func (l *loader) parse(f *file) {
	if f.content == nil || f.tree != nil {
		return
	}
	*l.at = f.name
	if pos, deep := tooDeep(f.name, f.content); deep {
		l.fail(pos, "messages of their own", "blocks within blocks of more than %d levels", mostLevels)
		f.failed = true
		return
	}
	h := l.handler(f)
	tree, err := parser.Parse(f.name, strings.NewReader(string(f.content)), h)
	if err == nil && h.Error() == nil {
		_, err = parser.ResultFromAST(tree, true, h)
	}
	l.unplaced(f, h, err)
	if f.failed = f.failed || h.Error() != nil || tree == nil; f.failed {
		return
	}
	f.tree = tree
	for _, d := range tree.Decls {
		if imp, ok := d.(*ast.ImportNode); ok {
			at := tree.NodeInfo(imp.Name).Start()
			f.imports = append(f.imports, imported{path: imp.Name.AsString(), pos: token.Position{Filename: f.name, Line: at.Line, Column: at.Col}})
		}
	}
}

// handler returns what takes the errors of the compiler about a file.
func (l *loader) handler(f *file) *reporter.Handler {
	return reporter.NewHandler(reporter.NewReporter(func(err reporter.ErrorWithPos) error {
		pos := token.Position{Filename: f.name}
		if at := err.GetPosition(); at.Line > 0 {
			pos.Line, pos.Column = at.Line, at.Col
		}
		l.fail(pos, "", "%s", tidy(err.Unwrap().Error()))
		return nil
	}, nil))
}

// unplaced reports an error of the compiler that its handler has not been told of.
func (l *loader) unplaced(f *file, h *reporter.Handler, err error) {
	if err == nil {
		return
	}
	f.failed = true
	if h.Error() == nil {
		l.fail(token.Position{Filename: f.name}, "", "%s", tidy(err.Error()))
	}
}

// tidy returns an error of the compiler on one line and of a bounded length.
func tidy(text string) string {
	const most = 500
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// resolve finds the files that are imported, reads those that come from [schema.Config.Roots], and gives each file the path that it is imported as.
func (l *loader) resolve() {
	type origin struct {
		file *file
		at   imported
	}
	imports := 0
	firsts := make(map[*file]origin)    // the first import of each given file
	for i := 0; i < len(l.files); i++ { // which grows
		f := l.files[i]
		if imports += len(f.imports); imports > mostImports {
			l.fail(token.Position{Filename: f.name}, "several runs", "more than %d imports", mostImports)
			return
		}
		for j := range f.imports {
			imp := &f.imports[j]
			found := l.find(f, imp)
			if found == nil {
				f.failed = true
				continue
			}
			imp.file = found
			first, ok := firsts[found]
			if !ok {
				firsts[found] = origin{f, *imp}
				if found.given && found.proto == nil {
					found.path = imp.path
				}
				continue
			}
			if first.at.path != imp.path {
				l.fail(imp.pos, "one path for it in all files", "%s is imported as %q here and as %q in %s", found.name, imp.path, first.at.path, first.file.name)
			}
		}
	}
	for _, f := range l.files {
		other := l.byPath[f.path]
		switch {
		case other == nil || other == f:
			l.byPath[f.path] = f
		case firsts[f].file == nil: // nobody imports it, so any path will do
			f.path = "//" + f.path
			l.byPath[f.path] = f
		case firsts[other].file == nil:
			other.path = "//" + other.path
			l.byPath[other.path], l.byPath[f.path] = other, f
		default:
			l.fail(firsts[f].at.pos, "different paths for them", "%q is %s here, and %s in %s", f.path, f.name, other.name, firsts[other].file.name)
		}
	}
}

// index finds files by their names.
type index struct {
	known map[string]*file   // that every compiler has
	sets  map[string]*file   // of descriptor sets, by path
	below map[string]*file   // from roots, by path
	given map[string]*file   // sources, by their names with slashes
	ends  map[string][]*file // the same by what their names end with, from a slash on
}

func newIndex() index {
	return index{make(map[string]*file), make(map[string]*file), make(map[string]*file), make(map[string]*file), make(map[string][]*file)}
}

// addGiven adds a source that was given.
func (x *index) addGiven(f *file) {
	name := clean(f.name)
	x.given[name] = f
	for i, c := range name {
		if c == '/' {
			x.ends[name[i+1:]] = append(x.ends[name[i+1:]], f)
		}
	}
}

// find returns the file that an import means, nil if there is none, which is reported. That is, in this order: one that every compiler has; one of a descriptor set; the given file beside the
// importing one; a given file of this name, or whose name ends with it; and a file below one of the roots.
func (l *loader) find(f *file, imp *imported) *file {
	if known := l.wellKnown(imp.path); known != nil {
		return known
	}
	if other := l.index.sets[imp.path]; other != nil {
		return other
	}
	if other := l.index.given[path.Join(path.Dir(clean(f.name)), imp.path)]; other != nil && f.given && f.proto == nil {
		return other
	}
	if other := l.index.given[clean(imp.path)]; other != nil {
		return other
	}
	ends := l.index.ends[clean(imp.path)]
	switch {
	case len(ends) > 1:
		names := make([]string, len(ends))
		for i, e := range ends {
			names[i] = e.name
		}
		l.fail(imp.pos, "a longer path, or files of one directory tree", "the import %s may be %s", quote(imp.path), strings.Join(atMost(5, names), " or "))
		return nil
	case len(ends) == 1:
		return ends[0]
	}
	if other := l.index.below[imp.path]; other != nil {
		return other
	}
	return l.below(f, imp)
}

// atMost shortens a list for a message.
func atMost(n int, list []string) []string {
	if len(list) > n {
		return append(slices.Clip(list[:n]), "…")
	}
	return list
}

// below reads a file from one of the roots.
func (l *loader) below(f *file, imp *imported) *file {
	if fs.ValidPath(imp.path) && imp.path != "." {
		for _, root := range l.cfg.Roots {
			content, err := fs.ReadFile(root, imp.path)
			if err != nil {
				continue
			}
			if l.bytes += len(content); l.bytes > mostBytes || len(l.files) >= mostFiles {
				l.fail(imp.pos, "several runs", "with its imports the schema has more than %d bytes, or than %d files", mostBytes, mostFiles)
				return nil
			}
			if content == nil {
				content = []byte{}
			}
			found := &file{name: imp.path, source: imp.path, path: imp.path, content: content}
			l.add(found)
			l.index.below[imp.path] = found
			l.parse(found)
			return found
		}
	}
	hint := "name the file too, or a directory below which it lies as a root"
	if f.proto != nil {
		hint = "a set with all imports: protoc --include_imports, or buf build"
	}
	l.fail(imp.pos, hint, "the import %q is not found", imp.path)
	return nil
}

// standard finds the files that every compiler has.
var standard = protocompile.WithStandardImports(protocompile.ResolverFunc(func(name string) (protocompile.SearchResult, error) {
	return protocompile.SearchResult{}, fs.ErrNotExist
}))

// isWellKnown reports whether a file that was given is one that every compiler has, whose own copy counts.
func (l *loader) isWellKnown(name string) bool {
	i := strings.LastIndex(name, "google/protobuf/")
	return i >= 0 && l.wellKnown(name[i:]) != nil
}

// wellKnown returns a file that every compiler has, nil if there is none of the name.
func (l *loader) wellKnown(name string) *file {
	if f := l.index.known[name]; f != nil {
		return f
	}
	found, err := standard.FindFileByPath(name)
	if err != nil || found.Desc == nil {
		return nil
	}
	f := &file{name: name, source: name, path: name, known: true, desc: found.Desc}
	l.add(f)
	l.index.known[name] = f
	for i := range found.Desc.Imports().Len() {
		// Their own imports are linked already; they are noted for what they declare.
		f.imports = append(f.imports, imported{path: found.Desc.Imports().Get(i).Path()})
	}
	return f
}
