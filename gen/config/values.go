package config

import (
	"fmt"
	"go/token"
	"path"
	"regexp"
	"strings"

	"golang.org/x/mod/module"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// A checker is a string of a certain form.
type checker interface {
	// check returns what is wrong with the string, "" if nothing is, and what would be right.
	check() (problem, hint string)
	// schema returns what a JSON Schema says about it besides its type. It may accept more than check, but never less.
	schema() map[string]any
}

// The kinds of strings.
type (
	text         string
	filePath     string
	filePattern  string
	pattern      string
	buildTag     string
	goType       string
	goWriter     string
	goFile       string
	goName       string
	importPath   string
	language     string
	formatName   string
	goFormat     string
	withName     string
	namespace    string
	typeName     string
	recordWriter string
)

// version is the only integer.
type version int

func notEmpty(s string) (problem, hint string) {
	if strings.TrimSpace(s) == "" {
		return "is empty", "give it a value, or leave the key out"
	}
	return "", ""
}

var someText = map[string]any{"minLength": 1}

func (s text) check() (problem, hint string) { return notEmpty(string(s)) }
func (s text) schema() map[string]any        { return someText }

func (s filePath) check() (problem, hint string) { return notEmpty(string(s)) }
func (s filePath) schema() map[string]any        { return someText }

func (s filePattern) check() (problem, hint string) {
	if s == "-" {
		return "a file cannot ask for standard input", "rwgen -schema - without a configuration"
	}
	if err := gen.CheckPattern(string(s)); err != nil {
		return fmt.Sprintf("%q: %v", string(s), err), ""
	}
	return notEmpty(string(s))
}
func (s filePattern) schema() map[string]any { return someText }

func (s pattern) check() (problem, hint string) {
	if strings.HasSuffix(string(s), ".go") {
		return fmt.Sprintf("%s is a file, but packages are wanted", s), path.Dir("./" + string(s))
	}
	if strings.HasPrefix(string(s), "-") {
		return fmt.Sprintf("%q is no package pattern", string(s)), "./..."
	}
	return notEmpty(string(s))
}
func (s pattern) schema() map[string]any { return someText }

var tagForm = regexp.MustCompile(`^[\pL\p{Nd}_.]+$`)

func (s buildTag) check() (problem, hint string) {
	if tagForm.MatchString(string(s)) {
		return "", ""
	}
	return fmt.Sprintf("%q is no build tag", string(s)), "[" + strings.Join(strings.FieldsFunc(string(s), func(r rune) bool { return strings.ContainsRune(" ,!&|()", r) }), ", ") + "]"
}
func (s buildTag) schema() map[string]any { return map[string]any{"pattern": `^[^\s,!&|()]+$`} }

func (s goType) check() (problem, hint string) {
	if err := gen.CheckType(string(s)); err != nil {
		return err.Error(), "Flight, or Pair[string,int] for an instance of a generic type"
	}
	return "", ""
}
func (s goType) schema() map[string]any { return map[string]any{"pattern": `^[^\s.\[]+(\[.*\])?$`} }

func (s goWriter) check() (problem, hint string) {
	if err := gen.CheckWriter(string(s)); err != nil {
		return fmt.Sprintf("writer %q: %v", string(s), err), "Flight.ByOrigin key=Origin"
	}
	return "", ""
}
func (s goWriter) schema() map[string]any {
	return map[string]any{"pattern": `^\s*\S+\.\S+\s+\S`, "examples": []string{"Flight.ByOrigin key=Origin"}}
}

func (s goFile) check() (problem, hint string) {
	if !strings.HasSuffix(string(s), ".go") {
		return fmt.Sprintf("%q is no .go file", string(s)), "records_rw.go"
	}
	return "", ""
}
func (s goFile) schema() map[string]any { return map[string]any{"pattern": `\.go$`} }

func (s goName) check() (problem, hint string) {
	if !token.IsIdentifier(string(s)) || s == "_" {
		return fmt.Sprintf("%q is no name of a Go package", string(s)), ""
	}
	return "", ""
}
func (s goName) schema() map[string]any { return map[string]any{"pattern": `^[^\s.\-/]+$`} }

func (s importPath) check() (problem, hint string) {
	if err := module.CheckImportPath(string(s)); err != nil {
		return err.Error(), ""
	}
	return "", ""
}
func (s importPath) schema() map[string]any { return map[string]any{"pattern": `^[^\s/]+(/[^\s/]+)*$`} }

// oneOf checks that a string is one of a few.
func oneOf(s string, known []string) (problem, hint string) {
	for _, k := range known {
		if s == k {
			return "", ""
		}
	}
	if hint = diag.Nearest(s, known); hint == "" {
		hint = "one of " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("%q is not known", s), hint
}

// languages are the names of the languages.
func languages() []string {
	var names []string
	for _, l := range gen.Languages() {
		names = append(names, string(l))
	}
	return names
}

func (s language) check() (problem, hint string) { return oneOf(string(s), languages()) }
func (s language) schema() map[string]any        { return map[string]any{"enum": languages()} }

func (s formatName) check() (problem, hint string) {
	if format, ok := ir.ParseFormat(string(s)); ok && format.Calls() {
		return fmt.Sprintf("the format %s is for records of Go packages, whose types have methods for it", format), "native, or avro for Avro schemas"
	}
	return oneOf(string(s), ir.SchemaFormats())
}
func (s formatName) schema() map[string]any { return map[string]any{"enum": ir.SchemaFormats()} }

func (s goFormat) check() (problem, hint string) { return oneOf(string(s), ir.GoFormats()) }
func (s goFormat) schema() map[string]any        { return map[string]any{"enum": ir.GoFormats()} }

func (s withName) check() (problem, hint string) { return oneOf(string(s), ir.Withs()) }
func (s withName) schema() map[string]any        { return map[string]any{"enum": ir.Withs()} }

const namePattern = `[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*`

var (
	nameForm      = regexp.MustCompile(`^` + namePattern + `$`)
	namespaceForm = regexp.MustCompile(`^(\*|` + namePattern + `(\.\*)?)?$`)
	writerForm    = regexp.MustCompile(`^\s*[\pL_][\pL\p{Nd}_]*\s+\S`)
)

func (s namespace) check() (problem, hint string) {
	if !namespaceForm.MatchString(string(s)) {
		return fmt.Sprintf("%q is no namespace", string(s)), `org.usgs, org.usgs.* with all below, * for all, or "" for the one without a name`
	}
	return "", ""
}
func (s namespace) schema() map[string]any { return map[string]any{"pattern": namespaceForm.String()} }

func (s typeName) check() (problem, hint string) {
	if !nameForm.MatchString(string(s)) {
		return fmt.Sprintf("%q is no name of a type in a schema", string(s)), "org.usgs.Quake"
	}
	return "", ""
}
func (s typeName) schema() map[string]any { return map[string]any{"pattern": nameForm.String()} }

func (s recordWriter) check() (problem, hint string) {
	if !writerForm.MatchString(string(s)) {
		return fmt.Sprintf("%q is no writer: it has a name and a selection", string(s)), "ByPlace key=Place"
	}
	return "", ""
}
func (s recordWriter) schema() map[string]any {
	return map[string]any{"pattern": `^\s*\S+\s+\S`, "examples": []string{"ByPlace key=Place"}}
}

func (v version) check() (problem, hint string) {
	if v != Version {
		return fmt.Sprintf("version %d of the file is not known to this rwgen, only %d", int(v), Version), "a newer rwgen: go get -tool github.com/rwgen/rwgen/cmd/rwgen@latest"
	}
	return "", ""
}
func (v version) schema() map[string]any { return map[string]any{"const": Version} }
