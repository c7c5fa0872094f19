package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
)

// writeDepfile writes the rule that says what the generated files depend on, in the syntax of Make, which Ninja reads too. Each input has an empty rule besides, so that Make goes on when one has been
// removed.
func (f *flags) writeDepfile(r *gen.Result) error {
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	inputs := r.Inputs
	if f.config != nil {
		inputs = append(inputs, f.config.Path)
		if f.config.HeaderFile != "" {
			inputs = append(inputs, f.config.HeaderFile)
		}
	}
	if f.headerFile != "" {
		inputs = append(inputs, f.headerFile)
	}
	var targets []string
	for _, file := range r.Files {
		targets = append(targets, file.Path)
	}
	rule, err := makeRule(here, f.deptarget, targets, inputs)
	if err != nil {
		return fmt.Errorf("-depfile: %w", err)
	}
	return replaceFile(f.path(f.depfile), rule)
}

// makeRule returns the rule. Names are relative to here, the directory in which Make runs, as far as they can be. A target other than "" stands in the place of the files.
func makeRule(here, target string, files, inputs []string) ([]byte, error) {
	var b strings.Builder
	if target != "" {
		word, err := makeWord(target)
		if err != nil {
			return nil, err
		}
		b.WriteString(word)
	} else {
		words, err := makeWords(here, files)
		if err != nil {
			return nil, err
		}
		b.WriteString(strings.Join(words, " "))
	}
	words, err := makeWords(here, inputs)
	if err != nil || b.Len() == 0 {
		return nil, err // without a target there is no rule
	}
	b.WriteString(":")
	for _, w := range words {
		b.WriteString(" \\\n  " + w)
	}
	b.WriteString("\n")
	for _, w := range words {
		b.WriteString("\n" + w + ":\n")
	}
	return []byte(b.String()), nil
}

func makeWords(here string, paths []string) ([]string, error) {
	var words []string
	for _, path := range paths {
		if rel, err := filepath.Rel(here, path); err == nil {
			path = rel
		}
		w, err := makeWord(path)
		if err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return words, nil
}

// makeWord writes a name as Make and Ninja both read it.
func makeWord(path string) (string, error) {
	path = filepath.ToSlash(path)
	if strings.ContainsAny(path, "\n\r\t\\%*?[:=;|<>") && !drive(path) {
		return "", fmt.Errorf("the name %q cannot be written for Make and Ninja", path)
	}
	return strings.NewReplacer(" ", `\ `, "#", `\#`, "$", "$$").Replace(path), nil
}

// drive reports whether the only special character of a path is the colon of a drive of Windows.
func drive(path string) bool {
	rest := path
	if len(path) > 2 && path[1] == ':' && path[2] == '/' {
		rest = path[2:]
	}
	return rest != path && !strings.ContainsAny(rest, "\n\r\t\\%*?[:=;|<>")
}

// archive returns the files in the form of golang.org/x/tools/txtar, with slashes in names relative to dir.
func archive(dir string, files []gen.File) []byte {
	var b strings.Builder
	for _, file := range files {
		fmt.Fprintf(&b, "-- %s --\n%s", filepath.ToSlash(diag.RelPath(dir, file.Path)), file.Content)
	}
	return []byte(b.String())
}
