package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// CheckPattern returns an error that says what is wrong with a pattern for [Schemas].Files, if anything is.
func CheckPattern(pattern string) error {
	if strings.TrimSpace(pattern) == "" {
		return errors.New("an empty pattern")
	}
	for _, element := range strings.Split(filepath.ToSlash(pattern), "/") {
		if element != "**" && strings.Contains(element, "**") {
			return fmt.Errorf("** stands for whole directories: %q has more in one element", element)
		}
		if _, err := path.Match(element, ""); err != nil {
			return fmt.Errorf("a syntax error in the pattern element %q", element)
		}
	}
	return nil
}

// glob returns the files that a pattern matches, with slashes, relative to dir unless the pattern is absolute. They are in no particular order. Directories that ** passes through are those whose names
// do not begin with a dot and that are no symbolic links.
func glob(dir, pattern string) ([]string, error) {
	pattern = path.Clean(filepath.ToSlash(pattern))
	if !hasMeta(pattern) {
		info, err := os.Stat(under(dir, pattern))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, nil
		}
		return []string{pattern}, nil
	}
	// What comes before the first element with a wildcard is taken as it stands.
	elements := strings.Split(pattern, "/")
	fixed := 0
	for !hasMeta(elements[fixed]) {
		fixed++
	}
	w := &globber{dir: dir, seen: make(map[string]bool)}
	prefix := strings.Join(elements[:fixed], "/")
	if prefix == "" && strings.HasPrefix(pattern, "/") {
		prefix = "/"
	}
	if err := w.walk(prefix, elements[fixed:]); err != nil {
		return nil, err
	}
	return w.found, nil
}

func hasMeta(s string) bool { return strings.ContainsAny(s, `*?[\`) }

// under returns the path of a name with slashes that is relative to dir, or absolute.
func under(dir, name string) string {
	if filepath.IsAbs(filepath.FromSlash(name)) {
		return filepath.FromSlash(name)
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// globber finds the files for one pattern.
type globber struct {
	dir   string
	found []string
	seen  map[string]bool
}

// walk adds the files below at that match the elements.
func (g *globber) walk(at string, elements []string) error {
	entries, err := os.ReadDir(under(g.dir, at))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	first, rest := elements[0], elements[1:]
	if first == "**" {
		if len(rest) == 0 {
			rest = []string{"*"}
		}
		if err := g.walk(at, rest); err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				if err := g.walk(path.Join(at, e.Name()), elements); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, e := range entries {
		if ok, err := path.Match(first, e.Name()); err != nil || !ok {
			continue
		}
		name := path.Join(at, e.Name())
		info, err := os.Stat(under(g.dir, name))
		switch {
		case err != nil: // a link to nowhere
		case len(rest) == 0 && !info.IsDir() && !g.seen[name]:
			g.seen[name] = true
			g.found = append(g.found, name)
		case len(rest) > 0 && info.IsDir():
			if err := g.walk(name, rest); err != nil {
				return err
			}
		}
	}
	return nil
}
