package gosrc

import (
	"bytes"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

// suffix is what names of output files have between the stem of the source and what Go reads from a file name.
const suffix = "_rw"

// OutputName returns the base name of the output for a source file: flight.go gives flight_rw.go. What the go command reads
// from a file name stays at its end, so flight_linux_test.go gives flight_rw_linux_test.go.
func OutputName(source string) string {
	stem, tail := splitName(source)
	return stem + suffix + tail
}

// SourceName is the inverse of [OutputName]; ok is false if name is not the name of an output.
func SourceName(name string) (source string, ok bool) {
	stem, tail := splitName(name)
	stem, ok = strings.CutSuffix(stem, suffix)
	return stem + tail, ok && stem != "" && strings.HasSuffix(tail, ".go")
}

// splitName cuts a file name before _GOOS, _GOARCH, _GOOS_GOARCH, _test and the extension. Of a name with more dots the go command reads systems and architectures before the first
// one, where they stay.
func splitName(name string) (stem, tail string) {
	stem, ok := strings.CutSuffix(name, ".go")
	if !ok {
		return name, ""
	}
	stem = strings.TrimSuffix(stem, "_test")
	if cut, last, ok := cutLast(stem); ok && !strings.Contains(stem, ".") {
		switch {
		case isArch(last):
			stem = cut
			if cut, last, ok := cutLast(stem); ok && isOS(last) {
				stem = cut
			}
		case isOS(last):
			stem = cut
		}
	}
	return stem, name[len(stem):]
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '_')
	if i <= 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// isOS and isArch ask go/build itself what it reads from a file name, so that its lists need not be repeated here. It takes the
// last two parts of a name together only if they are a system and an architecture, in this order. "plain" stands for a system
// that does not exist.
func isOS(s string) bool   { return !included("x_"+s+"_amd64.go", "plain", "amd64") }
func isArch(s string) bool { return !included("x_linux_"+s+".go", "plain", s) }

// included reports whether the name of a file lets it take part in a build.
func included(name, goos, goarch string) bool {
	ctxt := build.Context{GOOS: goos, GOARCH: goarch, Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	ok, err := ctxt.MatchFile("", name)
	return ok && err == nil
}

// IsOwn reports whether content is output of the generator: whether [ir.Header] stands as a line of its own before the package
// clause. Files that are damaged after that line, for example by conflict markers, are recognised as well.
func IsOwn(content []byte) bool {
	for line := range bytes.Lines(content) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case string(line) == ir.Header:
			return true
		case bytes.HasPrefix(line, []byte("package ")):
			return false
		}
	}
	return false
}

// hidden replaces the content of earlier output while packages are loaded. The constraint never holds, so the go command leaves
// the file out whatever the package clauses around it are, and a stale clause or import of the file has no effect.
var hidden = []byte("//go:build never && !never\n\npackage hidden\n")

// sourceFile is what the frontend knows of a .go file in a directory without its types.
type sourceFile struct {
	path string
	src  []byte
	own  bool // output of an earlier run
}

// readDir returns the .go files of dir that the go command would consider, in the order of their names. Content of overlay takes
// precedence over that of the disk. Files that cannot be read are left to the go command to complain about.
func readDir(dir string, overlay map[string][]byte, output string) ([]sourceFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	// The single output is found by whatever way its path leads to dir.
	single := ""
	if output != "" && sameDir(dir, filepath.Dir(output)) {
		single = filepath.Base(output)
	}
	var files []sourceFile
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		path := filepath.Join(dir, name)
		src, ok := overlay[path]
		if !ok {
			if src, err = os.ReadFile(path); err != nil {
				continue
			}
		}
		_, named := SourceName(name)
		files = append(files, sourceFile{path: path, src: src, own: (named || name == single) && IsOwn(src)})
	}
	return files, nil
}

// sameDir reports whether two paths lead to the same directory, whatever links there are on the way.
func sameDir(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return a == b || errX == nil && errY == nil && os.SameFile(x, y)
}

// fileConstraint returns the build constraint of a source as an expression, "" if there is none.
func fileConstraint(src []byte) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.ParseComments)
	if f == nil || err != nil && !f.Package.IsValid() {
		return ""
	}
	var plus constraint.Expr
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			switch {
			case constraint.IsGoBuild(c.Text):
				if x, err := constraint.Parse(c.Text); err == nil {
					return x.String()
				}
			case constraint.IsPlusBuild(c.Text):
				x, err := constraint.Parse(c.Text)
				switch {
				case err != nil:
				case plus == nil:
					plus = x
				default:
					plus = &constraint.AndExpr{X: plus, Y: x}
				}
			}
		}
	}
	if plus == nil {
		return ""
	}
	return plus.String()
}
