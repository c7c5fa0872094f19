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
			if sources := templated(f.src); sources != nil {
				e.Unloaded = slices.ContainsFunc(sources, unloaded)
			} else if source, named := SourceName(filepath.Base(f.path)); named {
				e.Source, e.Unloaded = source, unloaded(source)
			}
			in.Existing = append(in.Existing, e)
		}
		for path, sources := range textOutputs(d.path) {
			in.Existing = append(in.Existing, Existing{Path: path, Unloaded: slices.ContainsFunc(sources, unloaded)})
		}
	}
	slices.Sort(in.Dirs)
	slices.SortFunc(in.Existing, func(a, b Existing) int { return strings.Compare(a.Path, b.Path) })
}

// textOutputs returns what templates have made in a directory besides Go, with the sources.
func textOutputs(dir string) map[string][]string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	found := make(map[string][]string)
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || strings.HasSuffix(name, ".go") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			continue
		}
		path := filepath.Join(dir, name)
		if sources := templated(beginning(path)); sources != nil {
			found[path] = sources
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
var made = regexp.MustCompile(`Source: ([^\r\n;"]+?)(?:; |\s*\n[^\n]{0,8})Template: \S`)

// templated returns the sources of an output that a template has made, nil if it is none.
func templated(content []byte) []string {
	content = content[:min(len(content), headBytes)]
	_, after, ok := bytes.Cut(content, []byte(strings.TrimPrefix(ir.Header, "// ")))
	if !ok {
		return nil
	}
	m := made.FindSubmatch(after)
	if m == nil {
		return nil
	}
	return strings.Split(string(m[1]), ", ")
}
