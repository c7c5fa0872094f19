package templates

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed builtin/*.tmpl
var builtin embed.FS

// builtinFiles are the files of the built-in templates, by the names that with= has for them.
var builtinFiles = map[string][]string{
	"test":  {"builtin/test.go.tmpl", "builtin/suite.go.tmpl"},
	"fuzz":  {"builtin/fuzz.go.tmpl", "builtin/suite.go.tmpl"},
	"bench": {"builtin/bench.go.tmpl", "builtin/suite.go.tmpl"},
	"docs":  {"builtin/docs.md.tmpl"},
}

// Builtin returns the built-in template of a name: test, fuzz, bench or docs.
func Builtin(name string) (*Set, error) {
	files, ok := builtinFiles[name]
	if !ok {
		return nil, fmt.Errorf("templates: there is no built-in template %q", name)
	}
	s, err := Parse(builtin, files...)
	if err != nil {
		return nil, err
	}
	for _, o := range s.outputs {
		o.label = "rwgen:" + name
	}
	return s, nil
}

// Files returns the files of the built-in templates, to start from, in a directory builtin.
func Files() fs.FS { return builtin }
