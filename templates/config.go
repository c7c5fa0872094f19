package templates

import (
	"io"
	"strconv"
	"strings"
	"text/template"
)

// ConfigStart is what a configuration to start from is made for.
type ConfigStart struct {
	// Schema is where editors find the JSON Schema of the file.
	Schema string
	// Command is the command that generates.
	Command string
	// Packages says that there are Go packages.
	Packages bool
	// Module says that there is a go.mod, from which import paths follow.
	Module bool
	// Groups are schema files that are there.
	Groups []ConfigGroup
}

// ConfigGroup is a group of schema files of one language.
type ConfigGroup struct {
	Files  []string // names and patterns
	Roots  []string
	Format string // "" for the default
	Dir    string // of the Go package
	Path   string // its import path, where there is no go.mod
}

// InitConfig writes an rwgen.yaml with comments. The error is one of w.
func InitConfig(w io.Writer, s ConfigStart) error {
	// YAML reads the strings of Go, as far as they occur in paths.
	t, err := template.New("rwgen.yaml.tmpl").Funcs(template.FuncMap{"quote": strconv.Quote}).ParseFS(files, "rwgen.yaml.tmpl")
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := t.Execute(&b, s); err != nil {
		return err
	}
	_, err = io.WriteString(w, b.String())
	return err
}
