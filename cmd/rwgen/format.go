package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
)

// format is a form of diagnostics.
type format int

const (
	formatText   format = iota // for people, on standard error
	formatJSON                 // an object a line, on standard output
	formatGitHub               // workflow commands, on standard output
)

func formats() map[string]format {
	return map[string]format{"text": formatText, "json": formatJSON, "github": formatGitHub}
}

// report prints diagnostics in the form that the flags ask for.
func (e *environment) report(f *flags, diags diag.List) error {
	switch f.format {
	case formatJSON:
		return writeJSON(e.stdout, diags, f.dir)
	case formatGitHub:
		// Annotations name files by their paths in the repository.
		return writeGitHub(e.stdout, diags, cmp.Or(e.getenv("GITHUB_WORKSPACE"), f.dir))
	}
	return diags.Write(e.stderr, f.dir)
}

// jsonPosition is a position as JSON has it. What is not known is left out.
type jsonPosition struct {
	File string `json:"file,omitempty"` // with slashes on every system, relative to the directory of the command if that is shorter
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"` // in bytes, from 1
}

type jsonDiagnostic struct {
	jsonPosition
	Category string        `json:"category"`
	Message  string        `json:"message"`
	Hint     string        `json:"hint,omitempty"`
	Related  []jsonRelated `json:"related,omitempty"`
}

type jsonRelated struct {
	jsonPosition
	Message string `json:"message"`
}

// writeJSON writes one object for each diagnostic, on a line of its own.
func writeJSON(w io.Writer, diags diag.List, dir string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, d := range diags {
		out := jsonDiagnostic{jsonPosition{slashPath(dir, d.Pos.Filename), d.Pos.Line, d.Pos.Column}, d.Category, d.Message, d.Hint, nil}
		for _, r := range d.Related {
			out.Related = append(out.Related,
				jsonRelated{jsonPosition{slashPath(dir, r.Pos.Filename), r.Pos.Line, r.Pos.Column}, r.Message})
		}
		if err := enc.Encode(out); err != nil {
			return err
		}
	}
	return nil
}

// writeGitHub writes one workflow command for each diagnostic.
func writeGitHub(w io.Writer, diags diag.List, dir string) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, d := range diags {
		var properties []string
		add := func(name, value string) { properties = append(properties, name+"="+property.Replace(value)) }
		if d.Pos.Filename != "" {
			add("file", slashPath(dir, d.Pos.Filename))
			if d.Pos.Line > 0 {
				add("line", fmt.Sprint(d.Pos.Line))
				if d.Pos.Column > 0 {
					add("col", fmt.Sprint(d.Pos.Column))
				}
			}
		}
		add("title", "rwgen "+d.Category)
		message := d.Message
		for _, r := range d.Related {
			message += fmt.Sprintf("\n%s:%d: %s", slashPath(dir, r.Pos.Filename), r.Pos.Line, r.Message)
		}
		if d.Hint != "" {
			message += "\ntry: " + d.Hint
		}
		if _, err := fmt.Fprintf(w, "::error %s::%s\n", strings.Join(properties, ","), data.Replace(message)); err != nil {
			return err
		}
	}
	return nil
}

// slashPath returns a path as [diag.RelPath] does, with slashes.
func slashPath(dir, path string) string { return filepath.ToSlash(diag.RelPath(dir, path)) }
