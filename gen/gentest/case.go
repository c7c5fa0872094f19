package gentest

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/rwgen/rwgen/gen"
)

// testCase is one archive, and what came of it.
type testCase struct {
	name    string // slash-separated path of the archive below the directory of the cases, without extension
	file    string // path of the archive
	archive *txtar.Archive
	settings

	root   string // directory of its files
	module string // import path of root
	// What the generator made of it.
	got      map[string][]byte // generated files by path relative to root, with slashes
	diags    string
	problems []string
}

// settings are what the comment of an archive says.
type settings struct {
	options gen.Options // Dir relative to the root
	env     []string
	crlf    []string
	vendor  bool
	noCheck bool
	some    bool // there are any
}

// names matches names of cases, which are parts of import paths.
var names = regexp.MustCompile(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

// findCases returns the cases below dir, in the order of their names.
func findCases(dir string) ([]*testCase, error) {
	var list []*testCase
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".txtar" {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		c, err := readCase(strings.TrimSuffix(filepath.ToSlash(rel), ".txtar"), file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		list = append(list, c)
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no cases in %s", dir)
	}
	return list, err
}

func readCase(name, file string) (*testCase, error) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	if !names.MatchString(name) {
		return nil, fmt.Errorf("the name %q cannot be part of an import path", name)
	}
	for _, f := range archive.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return nil, fmt.Errorf("the file %q is outside of the case", f.Name)
		}
	}
	c := &testCase{name: name, file: file, archive: archive}
	return c, c.parseSettings(string(archive.Comment))
}

func (c *testCase) parseSettings(comment string) error {
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if value == "" {
			return fmt.Errorf("%q is neither a setting, name: value, nor prose, which begins with #", line)
		}
		c.some = true
		o := &c.options
		switch name {
		case "dir":
			o.Dir = value
		case "patterns":
			o.Patterns = strings.Fields(value)
		case "type":
			o.Types = append(o.Types, value)
		case "writer":
			o.Writers = append(o.Writers, value)
		case "with":
			o.With = append(o.With, strings.Split(value, ",")...)
		case "template":
			o.Templates = append(o.Templates, value)
		case "tags":
			o.Tags = value
		case "output":
			o.Output = value
		case "header":
			o.Header += value + "\n"
		case "env":
			c.env = append(c.env, value)
		case "crlf":
			c.crlf = append(c.crlf, value)
		case "vendor":
			c.vendor = value == "true"
		case "check":
			if value != "none" {
				return fmt.Errorf("check: %s, want none", value)
			}
			c.noCheck = true
		default:
			return fmt.Errorf("unknown setting %q", name)
		}
	}
	return nil
}

func (c *testCase) problemf(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// goMod returns the case's own go.mod, nil if there is none.
func (c *testCase) goMod() []byte {
	for _, f := range c.archive.Files {
		if f.Name == "go.mod" {
			return f.Data
		}
	}
	return nil
}

// alone says that a case is a module of its own, because it says so, or because it is not built like others.
func (c *testCase) alone() bool { return c.goMod() != nil || c.options.Tags != "" || len(c.env) > 0 }

// wants returns the files below want by what follows in their names, and whether there are any.
func (c *testCase) wants() map[string]string {
	wants := make(map[string]string)
	for _, f := range c.archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			wants[name] = string(f.Data)
		}
	}
	return wants
}

const (
	wantFiles       = "files"
	wantDiagnostics = "diagnostics"
)

// write writes the sources of the case below root.
func (c *testCase) write() error {
	for _, f := range c.archive.Files {
		if strings.HasPrefix(f.Name, "want/") {
			continue
		}
		data := f.Data
		if slices.Contains(c.crlf, f.Name) {
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		}
		name := filepath.Join(c.root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// rewrite changes the archive so that it wants what the generator made, and reports whether that is a change.
func (c *testCase) rewrite() bool {
	wants := c.wants()
	_, listed := wants[wantFiles]
	now := make(map[string]string)
	switch {
	case c.diags != "":
		now[wantDiagnostics] = c.diags
	case listed:
		now[wantFiles] = c.listing()
		for name := range wants {
			if got, ok := c.got[name]; ok {
				now[name] = string(got)
			}
		}
	default:
		for name, content := range c.got {
			now[name] = string(content)
		}
	}
	if maps.Equal(wants, now) {
		return false
	}
	c.archive.Files = slices.DeleteFunc(c.archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
	for _, name := range slices.Sorted(maps.Keys(now)) {
		c.archive.Files = append(c.archive.Files, txtar.File{Name: path.Join("want", name), Data: []byte(now[name])})
	}
	return true
}

// listing returns the names of the generated files, one a line.
func (c *testCase) listing() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.got)) {
		b.WriteString(name + "\n")
	}
	return b.String()
}
