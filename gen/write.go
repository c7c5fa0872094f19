package gen

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// ChangeKind says how the disk differs from what would be generated.
type ChangeKind int

// The kinds of changes.
const (
	Stale    ChangeKind = iota // the file has other content, not only other line ends
	Missing                    // there is no such file
	Orphaned                   // the file is output of rwgen that would not be generated any more
	Edited                     // the file has been changed by hand since rwgen wrote it
)

// String returns the kind in lower case.
func (k ChangeKind) String() string {
	return [...]string{"stale", "missing", "orphaned", "hand-edited"}[k]
}

// Change is one difference between the disk and the result.
type Change struct {
	Path   string // absolute
	Kind   ChangeKind
	Reason string // why a file is stale, where neither its sources nor rwgen say that; otherwise empty
}

// String returns kind and reason.
func (c Change) String() string {
	if c.Reason == "" {
		return c.Kind.String()
	}
	return c.Kind.String() + ": " + c.Reason
}

// current reports whether the disk held the content, be it with the line ends of Windows: version control may check files out that way.
func (f *File) current() bool {
	return bytes.Equal(f.Old, f.Content) || bytes.Equal(unixLines(f.Old), unixLines(f.Content))
}

// Changes returns how the disk differed from the result when it was generated, sorted by path. It is empty if everything is up
// to date.
func (r *Result) Changes() []Change {
	var changes []Change
	for _, f := range r.Files {
		switch {
		case f.Old == nil:
			changes = append(changes, Change{Path: f.Path, Kind: Missing})
		case f.current():
		case f.Template != "": // which may have changed itself
			changes = append(changes, Change{Path: f.Path, Kind: Stale})
		case f.types && editedTypes(f.Old, f.Content), !f.types && edited(f.Old, f.Content):
			changes = append(changes, Change{Path: f.Path, Kind: Edited})
		case renamed(f.Old, f.Content):
			changes = append(changes, Change{f.Path, Stale, "a name in this package is now that of an import"})
		default:
			changes = append(changes, Change{Path: f.Path, Kind: Stale})
		}
	}
	for _, path := range r.Orphans {
		changes = append(changes, Change{Path: path, Kind: Orphaned})
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}

// Write brings the disk up to date and returns the paths of the files that it has written: those that are missing or whose
// content differs in more than line ends. Others are not touched. Files get the mode 0644, directories for output of schemas that are missing 0755. Each is written under a temporary
// name first and then renamed, all of the renaming after all of the writing, so that a full disk leaves everything as it was. With
// [Options].Clean the orphans are removed at the end.
//
// A result with diagnostics has no files and writes nothing. One with clashes writes nothing and returns them as the error, unless
// it removes the orphans.
func (r *Result) Write() (written []string, err error) {
	if len(r.Clashes) > 0 && !r.clean {
		return nil, r.Clashes
	}
	type pending struct{ temp, path string }
	var files []pending
	defer func() {
		for _, p := range files[len(written):] {
			os.Remove(p.temp)
		}
	}()
	for _, f := range r.Files {
		if f.Old != nil && f.current() {
			continue
		}
		temp, err := writeTemp(f)
		if err != nil {
			return nil, err
		}
		files = append(files, pending{temp, f.Path})
	}
	for _, p := range files {
		if err := os.Rename(p.temp, p.path); err != nil {
			return written, err
		}
		written = append(written, p.path)
	}
	if r.clean {
		for _, path := range r.Orphans {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return written, err
			}
		}
	}
	return written, nil
}

// writeTemp writes the content of a file next to it and returns the name.
func writeTemp(f File) (name string, err error) {
	if f.mkdir {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
			return "", err
		}
	}
	temp, err := os.CreateTemp(filepath.Dir(f.Path), ".rwgen-*.tmp")
	if err != nil {
		return "", err
	}
	_, err = temp.Write(f.Content)
	err = cmp.Or(err, temp.Chmod(0o644))
	err = cmp.Or(err, temp.Close())
	if err != nil {
		os.Remove(temp.Name())
		return "", fmt.Errorf("writing %s: %w", f.Path, err)
	}
	return temp.Name(), nil
}
