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
		// unloaded says that a source is there but not part of this build.
		unloaded := func(source string) bool {
			return slices.ContainsFunc(d.files, func(s sourceFile) bool {
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

// headBytes is how far the head of an output reaches.
const headBytes = 4096

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

// made matches what the head of an output says of its sources and its template: on lines of their own, or on one.
var made = regexp.MustCompile(`Source: ([^\r\n;"]+?)(?:; |\s*\n[^\n]{0,8})Template: ([^\s"]+)`)

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
	_, after, ok := bytes.Cut(content, []byte(strings.TrimPrefix(ir.Header, "// ")))
	if !ok {
		return nil
	}
	m := made.FindSubmatch(after)
	if m == nil {
		return nil
	}
	return &origin{template: string(m[2]), sources: strings.Split(string(m[1]), ", ")}
}
