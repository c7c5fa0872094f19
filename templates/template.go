package templates

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/rwgen/rwgen/templates/model"
)

// Suffix is what names of template files end in.
const Suffix = ".tmpl"

// Set is templates that were parsed together. It is not changed by rendering, so that any number of goroutines may use it.
type Set struct {
	root    *template.Template // has all of them, and what they define
	outputs []*output
}

// output is a template file that makes output.
type output struct {
	file  string // base name
	label string // how the output names it
	each  each
	name  *template.Template // of the output
}

// each says what there is one output for.
type each int

const (
	eachPackage each = iota
	eachFile
	eachRecord
)

var eachNames = [...]string{"package", "file", "record"}

// Parse parses the files with the names in fsys. They share what they define; a file that does nothing but define makes no output.
// The error is an [*Error], unless it is one of fsys.
func Parse(fsys fs.FS, names ...string) (*Set, error) {
	s := &Set{root: template.New("").Funcs(stubs()).Option("missingkey=error")}
	defined := make(map[string]string)
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		if err := s.add(path.Base(name), string(text), defined); err != nil {
			return nil, err
		}
	}
	for _, t := range s.root.Templates() {
		if t.Tree != nil {
			countSteps(t.Tree)
		}
	}
	return s, nil
}

// ParseDir parses the files of a directory whose names end in [Suffix], as [Parse] does. It is an error if there are none.
func ParseDir(fsys fs.FS, dir string) (*Set, error) {
	names, err := fs.Glob(fsys, path.Join(dir, "*"+Suffix))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("templates: no file *%s: %w", Suffix, fs.ErrNotExist)
	}
	return Parse(fsys, names...)
}

// Files returns the base names of the files that make output, as their outputs have them; of a built-in template it is rwgen:test and the like.
func (s *Set) Files() []string {
	names := make([]string, len(s.outputs))
	for i, o := range s.outputs {
		names[i] = o.label
	}
	return names
}

// add parses one file.
func (s *Set) add(file, text string, defined map[string]string) error {
	t, err := template.New(file).Funcs(stubs()).Parse(text)
	if err != nil {
		return errorOf(file, err)
	}
	for _, d := range t.Templates() {
		if d.Tree == nil {
			continue
		}
		if other := defined[d.Name()]; other != "" {
			return &Error{Template: file, Message: fmt.Sprintf("defines %q, as %s does", d.Name(), other)}
		}
		defined[d.Name()] = file
		if _, err := s.root.AddParseTree(d.Name(), d.Tree); err != nil {
			return errorOf(file, err)
		}
	}
	o, err := settings(file, text)
	if err != nil {
		return err
	}
	// A file of definitions has no text of its own, or only space around them.
	if own := t.Lookup(file); own != nil && own.Tree != nil && own.Tree.Root != nil && strings.TrimSpace(own.Tree.Root.String()) != "" {
		s.outputs = append(s.outputs, o)
	}
	return nil
}

// head matches the comment with the settings at the start of a file.
var head = regexp.MustCompile(`^\s*\{\{(?:- )?/\*\s*rwgen\b((?s:.*?))\*/`)

// settings reads the comment at the start of a template.
func settings(file, text string) (*output, error) {
	o := &output{file: file, label: file}
	pattern := strings.TrimSuffix(file, Suffix)
	given := make(map[string]bool)
	if m := head.FindStringSubmatchIndex(text); m != nil {
		line := 1 + strings.Count(text[:m[2]], "\n")
		for i, l := range strings.Split(text[m[2]:m[3]], "\n") {
			if l = strings.TrimSpace(l); l == "" {
				continue
			}
			fail := func(format string, args ...any) error {
				return &Error{Template: file, Line: line + i, Message: fmt.Sprintf(format, args...)}
			}
			key, value, ok := strings.Cut(l, ":")
			value = strings.TrimSpace(value)
			switch {
			case !ok:
				return nil, fail("%q is no setting, which is a name, a colon and a value", l)
			case given[key]:
				return nil, fail("the setting %s stands here twice", key)
			case value == "":
				return nil, fail("the setting %s has no value", key)
			}
			given[key] = true
			switch key {
			case "each":
				e := slices.Index(eachNames[:], value)
				if e < 0 {
					return nil, fail("each: %q is none of package, file, record", value)
				}
				o.each = each(e)
			case "output":
				pattern = value
			case "model":
				v, err := strconv.Atoi(value)
				if err != nil || v < 1 {
					return nil, fail("model: %q is no version", value)
				}
				if v > model.Version {
					return nil, fail("the template is for version %d of the model, and this rwgen has version %d: take a newer rwgen", v, model.Version)
				}
			default:
				return nil, fail("there is no setting %s, but each, output and model", key)
			}
		}
	}
	if o.each != eachPackage && !given["output"] {
		return nil, &Error{Template: file, Message: "with each: " + eachNames[o.each] + " there must be an output:, such as {{snake .Record.Name}}.txt"}
	}
	name, err := template.New(file).Funcs(stubs()).Option("missingkey=error").Parse(pattern)
	if err != nil {
		return nil, &Error{Template: file, Message: "output: " + strings.TrimPrefix(err.Error(), "template: ")}
	}
	o.name = name
	return o, nil
}

// Error is a fault of a template, or of what it makes.
type Error struct {
	Template     string // base name of the template's file
	Line, Column int    // in it, 0 if they are not known
	// Output is the name of the output if that does not parse. Then OutputLine and OutputColumn are the position in it, as the template has made it, and Excerpt has the
	// lines around.
	Output                   string
	OutputLine, OutputColumn int
	Excerpt                  []Line
	Message                  string
	cause                    error
}

// Line is a line of output.
type Line struct {
	Number int
	Text   string
}

// Error returns the position and the message on a line, and for output that does not parse the lines around.
func (e *Error) Error() string {
	s := e.Template
	if e.Line > 0 {
		s += ":" + strconv.Itoa(e.Line)
		if e.Column > 0 {
			s += ":" + strconv.Itoa(e.Column)
		}
	}
	s += ": " + e.Message
	for _, l := range e.Excerpt {
		mark := " "
		if l.Number == e.OutputLine {
			mark = ">"
		}
		s += fmt.Sprintf("\n\t%s %d: %s", mark, l.Number, l.Text)
	}
	return s
}

// Unwrap returns the error that is behind: [ErrLimit], the cause of a context that has ended, or nil.
func (e *Error) Unwrap() error { return e.cause }

// located matches the errors of text/template.
var located = regexp.MustCompile(`^template: (.*?):(\d+)(?::(\d+))?: (?s:(.*))$`)

// errorOf returns an error of text/template in parts.
func errorOf(file string, err error) *Error {
	e := &Error{Template: file, Message: strings.TrimPrefix(err.Error(), "template: ")}
	var inner *Error
	switch {
	case errors.As(err, &inner):
		return inner
	case errors.Is(err, ErrLimit):
		e.cause = ErrLimit
	}
	if m := located.FindStringSubmatch(err.Error()); m != nil {
		e.Template, e.Message = m[1], m[4]
		e.Line, _ = strconv.Atoi(m[2])
		e.Column, _ = strconv.Atoi(m[3])
	}
	return e
}
