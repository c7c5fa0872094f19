package diag

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
)

// The categories of diagnostics. They are part of the output and stay the same from release to release; the wording of
// messages does not.
const (
	Load      = "load"      // packages that cannot be found or listed
	Toolchain = "toolchain" // rwgen, the go command and the environment do not fit together
	Syntax    = "syntax"    // a source file that does not parse
	Directive = "directive" // a malformed or misplaced //rwgen: comment
	Record    = "record"    // a type that cannot be a record
	Field     = "field"     // a field whose type has no encoding
	Tag       = "tag"       // a malformed or misplaced rw:"…" tag
	Union     = "union"     // an interface or its members that do not make a union
	Codec     = "codec"     // a registered codec that cannot be used
	Type      = "type"      // a type error that touches a record
	Writer    = "writer"    // a writer that cannot be generated
	Key       = "key"       // a key that cannot be hashed
	Name      = "name"      // a generated name that is taken
	Output    = "output"    // a file that must not or cannot be written
	Config    = "config"    // a fault of rwgen.yaml
	Schema    = "schema"    // a schema file that is wrong, or has what cannot be Go
	Template  = "template"  // a template that fails, or makes what does not parse
)

// Diagnostic is one finding.
type Diagnostic struct {
	// Pos is where the cause stands. A position without a line stands for the whole file, one without a file name for the run.
	Pos token.Position
	// Category is one of the constants of this package.
	Category string
	// Message says what is wrong: lower case, no final period, no position.
	Message string
	// Hint says what to do about it, empty if there is nothing to say.
	Hint string
	// Related lists other positions that belong to the finding, for example the other one of two declarations.
	Related []Related
}

// Related is a further position of a diagnostic.
type Related struct {
	Pos     token.Position
	Message string
}

// Error returns the position and the message on one line, with the file name as it stands in Pos.
func (d *Diagnostic) Error() string { return d.line("") }

// Format returns the diagnostic as the command prints it, without a final newline: the line of [Diagnostic.Error] with the
// category, then related positions and the hint, one indented line each. File names are shown relative to dir where that is
// shorter; an empty dir leaves them as they are.
func (d *Diagnostic) Format(dir string) string {
	var b strings.Builder
	b.WriteString(d.line(dir))
	if d.Category != "" {
		fmt.Fprintf(&b, " [%s]", d.Category)
	}
	for _, r := range d.Related {
		fmt.Fprintf(&b, "\n\t%s%s", prefix(r.Pos, dir), r.Message)
	}
	if d.Hint != "" {
		fmt.Fprintf(&b, "\n\ttry: %s", d.Hint)
	}
	return b.String()
}

func (d *Diagnostic) line(dir string) string { return prefix(d.Pos, dir) + d.Message }

// prefix returns "path:line:col: ", as much of it as is known.
func prefix(pos token.Position, dir string) string {
	if pos.Filename == "" {
		return ""
	}
	s := RelPath(dir, pos.Filename)
	if pos.Line > 0 {
		s = fmt.Sprintf("%s:%d", s, pos.Line)
		if pos.Column > 0 {
			s = fmt.Sprintf("%s:%d", s, pos.Column)
		}
	}
	return s + ": "
}

// RelPath returns path relative to dir if that is shorter, otherwise path itself. An empty dir returns path. Diagnostics and
// lists of files print paths this way.
func RelPath(dir, path string) string {
	if dir == "" || !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}
