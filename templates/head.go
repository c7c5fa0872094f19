package templates

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/templates/model"
)

// finish puts the head before what a template has made.
type finish struct {
	in              *model.Input
	out             *Output
	version, header string
}

// lines returns the lines of the head after the first one, without what makes comments of them.
func (h *finish) lines() []string {
	version := "rwgen " + h.version
	var lines []string
	if len(h.in.Records) == 1 {
		lines = append(lines, version+" schema="+h.in.Records[0].Fingerprint)
	} else {
		lines = append(lines, version)
		for _, r := range h.in.Records {
			lines = append(lines, fmt.Sprintf("schema(%s)=%s", r.Name, r.Fingerprint))
		}
	}
	return append(lines, "Source: "+strings.Join(h.out.Sources, ", "), "Template: "+h.out.Template)
}

// goFile returns a Go file, formatted.
func (h *finish) goFile(src []byte, x *execution) ([]byte, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, h.unparsable(src, err)
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var b bytes.Buffer
	b.WriteString(ir.Header + "\n")
	for _, l := range h.lines() {
		b.WriteString("// " + l + "\n")
	}
	b.WriteString("\n")
	if h.header != "" {
		b.WriteString(strings.TrimSpace(h.header) + "\n\n")
	}
	before := src[:at(parsed.Package)]
	if f := h.in.File; f != nil && f.Constraint != "" && !bytes.Contains(before, []byte("//go:build ")) {
		b.WriteString("//go:build " + f.Constraint + "\n\n")
	}
	b.Write(bytes.TrimLeft(before, " \t\r\n"))
	b.Write(src[at(parsed.Package):at(parsed.Name.End())])
	specs, rest := imports(fset, parsed, src)
	for p, name := range x.aliases {
		if s := (spec{path: p, name: name}); !slices.ContainsFunc(specs, func(o spec) bool { return o.path == p && (o.name == name || o.name == "" && name == x.names.name(p)) }) {
			if name == x.names.name(p) && name == path.Base(p) {
				s.name = ""
			}
			specs = append(specs, s)
		}
	}
	b.WriteString(block(specs))
	b.Write(rest)
	formatted, err := format.Source(b.Bytes())
	if err != nil {
		return nil, h.unparsable(b.Bytes(), err)
	}
	return formatted, nil
}

// spec is an import.
type spec struct{ name, path, comment string }

// imports returns the imports of a file, and what comes after its package clause without them. Those of cgo stay where they are, because of the comment above them.
func imports(fset *token.FileSet, f *ast.File, src []byte) (specs []spec, rest []byte) {
	from := fset.Position(f.Name.End()).Offset
	for _, d := range f.Decls {
		gd, ok := d.(*ast.GenDecl)
		if !ok || gd.Tok != token.IMPORT {
			continue
		}
		var list []spec
		for _, s := range gd.Specs {
			is := s.(*ast.ImportSpec)
			one := spec{comment: strings.TrimSpace(is.Comment.Text())}
			one.path, _ = strconv.Unquote(is.Path.Value)
			if is.Name != nil {
				one.name = is.Name.Name
			}
			list = append(list, one)
		}
		if slices.ContainsFunc(list, func(s spec) bool { return s.path == "C" }) {
			continue
		}
		specs = append(specs, list...)
		start, end := fset.Position(gd.Pos()).Offset, fset.Position(gd.End()).Offset
		rest = append(rest, src[from:start]...)
		from = end
		for _, s := range gd.Specs { // a comment behind the last one
			if c := s.(*ast.ImportSpec).Comment; c != nil {
				from = max(from, fset.Position(c.End()).Offset)
			}
		}
	}
	return specs, append(rest, src[from:]...)
}

// block returns the declaration of imports, those of the standard library first.
func block(specs []spec) string {
	if len(specs) == 0 {
		return ""
	}
	std := func(s spec) bool { first, _, _ := strings.Cut(s.path, "/"); return !strings.Contains(first, ".") }
	slices.SortFunc(specs, func(a, b spec) int {
		if std(a) != std(b) {
			if std(a) {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.name, b.name))
	})
	specs = slices.Compact(specs)
	var b strings.Builder
	b.WriteString("\n\nimport (\n")
	for i, s := range specs {
		if i > 0 && std(specs[i-1]) && !std(s) {
			b.WriteString("\n")
		}
		b.WriteString("\t")
		if s.name != "" {
			b.WriteString(s.name + " ")
		}
		b.WriteString(strconv.Quote(s.path))
		if s.comment != "" {
			b.WriteString(" // " + s.comment)
		}
		b.WriteString("\n")
	}
	b.WriteString(")\n\n")
	return b.String()
}

// unparsable returns the error for output that does not parse.
func (h *finish) unparsable(src []byte, err error) error {
	e := &Error{Template: h.in.Template, Output: h.out.Name}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		const around = 3
		e.OutputLine, e.OutputColumn = list[0].Pos.Line, list[0].Pos.Column
		err = errors.New(list[0].Msg)
		for i, line := range strings.Split(strings.TrimRight(string(src), "\r\n"), "\n") {
			if n := i + 1; e.OutputLine-around <= n && n <= e.OutputLine+around {
				e.Excerpt = append(e.Excerpt, Line{n, strings.TrimRight(line, "\r")})
			}
		}
	}
	e.Message = fmt.Sprintf("what it makes does not parse: %s:%d:%d: %v", e.Output, e.OutputLine, e.OutputColumn, err)
	return e
}

// style is how comments are written: each line between prefix and suffix, or all between open and end.
type style struct{ open, line, end string }

// styleOf returns the style for the name of a file, false if nothing is known.
func styleOf(name string) (style, bool) {
	ext := strings.ToLower(path.Ext(name))
	if ext == "" {
		ext = strings.ToLower(name)
	}
	switch ext {
	case ".md", ".html", ".htm", ".xml", ".xsd", ".svg", ".vue":
		return style{"<!-- ", "     ", " -->"}, true
	case ".css":
		return style{"/* ", "   ", " */"}, true
	case ".sql", ".lua", ".hs", ".elm", ".ads", ".adb", ".vhd":
		return style{"", "-- ", ""}, true
	case ".proto", ".avdl", ".thrift", ".js", ".mjs", ".jsx", ".ts", ".tsx", ".java", ".kt", ".scala", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".swift",
		".dart", ".zig", ".fbs", ".capnp", ".jsonc", ".json5", ".cue", ".groovy", ".gradle", ".scss", ".php":
		return style{"", "// ", ""}, true
	case ".yaml", ".yml", ".toml", ".py", ".rb", ".sh", ".bash", ".pl", ".r", ".jl", ".tf", ".hcl", ".conf", ".properties", ".graphql", ".gql", ".mk", ".cmake", ".nix",
		".ex", ".exs", ".ps1", ".awk", "makefile", "dockerfile":
		return style{"", "# ", ""}, true
	case ".tex", ".erl", ".m":
		return style{"", "% ", ""}, true
	case ".el", ".lisp", ".clj", ".scm", ".asm":
		return style{"", "; ", ""}, true
	}
	return style{}, false
}

// textFile returns a text with its head.
func (h *finish) textFile(text []byte) ([]byte, error) {
	text = append(bytes.Trim(text, "\r\n"), '\n')
	s, known := styleOf(h.out.Name)
	if marked(text, h.in.Mark) {
		return text, nil
	}
	if !known {
		return nil, &Error{Template: h.in.Template, Output: h.out.Name, Message: fmt.Sprintf("%s: %v", h.out.Name, errNoMark)}
	}
	var b bytes.Buffer
	// Some first lines have to be the first.
	if first, _, ok := bytes.Cut(text, []byte("\n")); ok && slices.ContainsFunc([]string{"#!", "<?", "<!DOCTYPE", "<!doctype"}, func(p string) bool { return bytes.HasPrefix(first, []byte(p)) }) {
		b.Write(text[:len(first)+1])
		text = text[len(first)+1:]
	}
	lines := append([]string{Mark}, h.lines()...)
	for i, l := range lines {
		prefix := s.line
		if i == 0 && s.open != "" {
			prefix = s.open
		}
		b.WriteString(prefix + l)
		if i == len(lines)-1 {
			b.WriteString(s.end)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	b.Write(text)
	return b.Bytes(), nil
}
