package proto

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/options"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"
	"github.com/bufbuild/protocompile/sourceinfo"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// quote returns a name for a message.
func quote(name string) string {
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "") + "…"
	}
	return strconv.Quote(name)
}

// link makes descriptors of all files, one after the other, so that what is reported does not depend on chance.
func (l *loader) link() {
	l.sort()
	symbols := &linker.Symbols{}
	var sets protoregistry.Files
	for _, f := range l.order {
		*l.at = f.name
		failed := slices.ContainsFunc(f.imports, func(i imported) bool { return i.file != nil && i.file.failed })
		switch {
		case f.failed || failed: // what is wrong is reported where it is
			f.failed = true
		case f.proto != nil:
			l.linkSet(f, &sets, symbols)
		case f.tree != nil:
			l.linkSource(f, symbols)
		}
		if f.desc != nil && sets.RegisterFile(f.desc) != nil && f.proto != nil {
			// Sources find this out themselves, with the place.
			l.fail(token.Position{Filename: f.name}, "one definition of each name", "a name in %s is defined in another file, too", quote(f.path))
		}
	}
}

// sort puts the files into an order in which each comes after those that it imports. A cycle is reported.
func (l *loader) sort() {
	const unseen, open, done = 0, 1, 2
	var way []*file
	var visit func(f *file)
	visit = func(f *file) {
		f.state = open
		way = append(way, f)
		for _, imp := range f.imports {
			if imp.file == nil {
				continue
			}
			switch imp.file.state {
			case unseen:
				visit(imp.file)
			case open:
				var names []string
				for _, w := range way[slices.Index(way, imp.file):] {
					names = append(names, w.path)
				}
				f.failed, imp.file.failed = true, true
				l.fail(imp.pos, "move what both need into a file of its own", "files import one another: %s", strings.Join(atMost(8, append(names, imp.file.path)), " → "))
			}
		}
		way = way[:len(way)-1]
		f.state = done
		l.order = append(l.order, f)
	}
	for _, f := range l.files {
		if f.state == unseen {
			visit(f)
		}
	}
}

// linkSource links a source.
func (l *loader) linkSource(f *file, symbols *linker.Symbols) {
	h := l.handler(f)
	tree := f.tree
	if f.path != f.name {
		// The compiler knows a file by the name that it was parsed under.
		again, err := parser.Parse(f.path, strings.NewReader(string(f.content)), reporter.NewHandler(nil))
		if err != nil {
			l.unplaced(f, h, err)
			return
		}
		tree = again
	}
	parsed, err := parser.ResultFromAST(tree, false, h) // what that finds has been reported
	if err != nil {
		l.unplaced(f, h, err)
		return
	}
	var deps linker.Files
	for _, imp := range f.imports {
		dep, err := linker.NewFileRecursive(imp.file.desc)
		if err != nil {
			l.unplaced(f, h, err)
			return
		}
		deps = append(deps, dep)
	}
	linked, err := linker.Link(parsed, deps, symbols, h)
	if err != nil {
		l.unplaced(f, h, err)
		return
	}
	index, err := options.InterpretOptions(linked, h)
	if err == nil {
		err = linked.ValidateOptions(h, symbols)
	}
	if err == nil {
		err = h.Error()
	}
	if err != nil {
		l.unplaced(f, h, err)
		return
	}
	parsed.FileDescriptorProto().SourceCodeInfo = sourceinfo.GenerateSourceInfo(tree, index)
	linked.PopulateSourceCodeInfo()
	f.desc = linked
}

// linkSet links a file of a descriptor set.
func (l *loader) linkSet(f *file, sets *protoregistry.Files, symbols *linker.Symbols) {
	at := token.Position{Filename: f.name}
	desc, err := protodesc.NewFile(f.proto, sets)
	if err != nil {
		f.failed = true
		l.fail(at, "", "the descriptor of %s is no file: %s", quote(f.path), tidy(strings.TrimPrefix(err.Error(), "proto:")))
		return
	}
	file, err := linker.NewFileRecursive(desc)
	if err == nil {
		h := l.handler(f)
		if err = symbols.Import(file, h); err == nil {
			err = h.Error()
		}
	}
	if err != nil {
		f.failed = true
		if len(*l.diags) == 0 {
			l.fail(at, "", "%s", tidy(fmt.Sprint(err)))
		}
		return
	}
	f.desc = desc
}

// position returns where a descriptor stands.
func (f *file) position(d protoreflect.Descriptor) token.Position {
	pos := token.Position{Filename: f.name}
	if d == nil || d.ParentFile() == nil {
		return pos
	}
	if at := d.ParentFile().SourceLocations().ByDescriptor(d); len(at.Path) > 0 {
		pos.Line, pos.Column = at.StartLine+1, at.StartColumn+1
	}
	return pos
}

// comments returns what the source says about a descriptor.
func comments(d protoreflect.Descriptor) string {
	if d.ParentFile() == nil {
		return ""
	}
	at := d.ParentFile().SourceLocations().ByDescriptor(d)
	text := at.LeadingComments
	if strings.TrimSpace(text) == "" {
		text = at.TrailingComments
	}
	// The compiler leaves the space behind each // in place.
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, " ")
	}
	return strings.Join(lines, "\n")
}
