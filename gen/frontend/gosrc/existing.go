package gosrc

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

// existing lists what earlier runs have left in the directories that the patterns match.
func (l *loader) existing(in *Input) {
	loaded := make(map[string]bool)
	for _, p := range l.roots {
		for _, f := range p.GoFiles {
			loaded[f] = true
		}
	}
	for _, d := range l.dirs {
		in.Dirs = append(in.Dirs, d.path)
		// unloaded says that a source is there but not part of this build, or is a schema, wherever that may be.
		unloaded := func(source string) bool {
			return filepath.Ext(source) != ".go" || slices.ContainsFunc(d.files, func(s sourceFile) bool {
				return filepath.Base(s.path) == source && !loaded[s.path] && l.mentionsRecord(s.src)
			})
		}
		for _, f := range d.files {
			if !f.own {
				continue
			}
			e := Existing{Path: f.path}
			if o := templated(f.src); o != nil {
				e.Template, e.Unloaded, e.Gone = o.template, slices.ContainsFunc(o.sources, unloaded), !slices.ContainsFunc(o.sources, d.has)
			} else if source, named := SourceName(filepath.Base(f.path)); named {
				e.Source, e.Unloaded = source, unloaded(source)
			}
			in.Existing = append(in.Existing, e)
		}
		for path, o := range textOutputs(d.path) {
			in.Existing = append(in.Existing, Existing{
				Path: path, Template: o.template, Unloaded: slices.ContainsFunc(o.sources, unloaded), Gone: !slices.ContainsFunc(o.sources, d.has),
			})
		}
	}
	slices.Sort(in.Dirs)
	slices.SortFunc(in.Existing, func(a, b Existing) int { return strings.Compare(a.Path, b.Path) })
}

// has reports whether a file is there, by its base name: a Go source, or a schema.
func (d *directory) has(name string) bool {
	_, err := os.Stat(filepath.Join(d.path, name))
	return err == nil
}

// origin is what the head of an output says of where it comes from.
type origin struct {
	template string
	sources  []string
}

// textOutputs returns what templates have made in a directory besides Go.
func textOutputs(dir string) map[string]*origin {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	found := make(map[string]*origin)
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || strings.HasSuffix(name, ".go") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			continue
		}
		path := filepath.Join(dir, name)
		if o := templated(beginning(path)); o != nil {
			found[path] = o
		}
	}
	return found
}

// How far the head of an output reaches: the mark is near the beginning, and a line for each record may follow.
const (
	markBytes = 1024
	headBytes = 16 << 10
)

// beginning returns the first bytes of a file, as far as they can be read.
func beginning(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, headBytes))
	if err != nil {
		return nil
	}
	return b
}

// made matches what follows the mark in an output that a template has made, on the same line or on those below it. A text that only speaks of such output is none.
var made = regexp.MustCompile(`\A(?: |\s*\n[^\n]{0,8}rwgen [^\n]*\n(?:[^\n]{0,8}schema\([^\n]*\n)*[^\n]{0,8})` +
	`Source: ([^\r\n;"]+?)(?:; |\s*\n[^\n]{0,8})Template: ([^\s"]+)`)

// IsTemplated reports whether content is output of a template, of whatever language: whether the mark of rwgen stands in its first 1,024 bytes, with sources and template behind it.
func IsTemplated(content []byte) bool { return templated(content) != nil }

// Templated returns the base name of the template that has made an output, and those of its sources; the template is empty if the content is not of such an output.
func Templated(content []byte) (template string, sources []string) {
	if o := templated(content); o != nil {
		return o.template, o.sources
	}
	return "", nil
}

// templated returns where an output comes from that a template has made, nil if it is none.
func templated(content []byte) *origin {
	content = content[:min(len(content), headBytes)]
	mark := []byte(strings.TrimPrefix(ir.Header, "// "))
	i := bytes.Index(content[:min(len(content), markBytes)], mark)
	if i < 0 {
		return nil
	}
	m := made.FindSubmatch(content[i+len(mark):])
	if m == nil {
		return nil
	}
	return &origin{template: string(m[2]), sources: strings.Split(string(m[1]), ", ")}
}
