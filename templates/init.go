package templates

import (
	"embed"
	"fmt"
	"go/format"
	"go/token"
	"io"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

// Start is what a starting point is made for.
type Start struct {
	// Package is the name in the package clause.
	Package string
	// Record is the name of the example record.
	Record string
	// Command is the command that generates, as it stands behind //go:generate.
	Command string
}

// Init writes a Go file with an example record, its directives, and the line for go generate, formatted. The error is one of w, or says which
// name is none.
func Init(w io.Writer, s Start) error {
	if !token.IsIdentifier(s.Package) {
		return fmt.Errorf("templates: %q is no package name", s.Package)
	}
	if !token.IsIdentifier(s.Record) {
		return fmt.Errorf("templates: %q is no type name", s.Record)
	}
	t, err := template.ParseFS(files, "init.go.tmpl")
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := t.Execute(&b, s); err != nil {
		return err
	}
	src, err := format.Source([]byte(b.String()))
	if err != nil {
		return err
	}
	_, err = w.Write(src)
	return err
}
