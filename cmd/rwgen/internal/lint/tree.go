package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Module is the module path of the tree's root.
const Module = "github.com/rwgen/rwgen"

// Tree is a checkout: every text file in it, Go files parsed. It is not changed after ReadTree and may be shared.
type Tree struct {
	Root  string // absolute directory of the root module
	Texts []Text
	Files []*File
}

// Text is a file without NUL bytes.
type Text struct {
	Path    string // relative to the root, with slashes
	Content []byte
}

// File is a Go file outside testdata.
type File struct {
	Text
	Fset   *token.FileSet
	Syntax *ast.File
}

// Finding is one place where a rule is broken.
type Finding struct {
	Path    string // relative to the root, with slashes
	Line    int    // 0 for the file or directory as a whole
	Message string
}

// String renders the finding as path:line: message.
func (f Finding) String() string {
	if f.Line == 0 {
		return f.Path + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Message)
}

// ReadTree reads the checkout at root. What .gitignore names, .git itself and binary files are left out. A Go file outside testdata that
// does not parse is an error.
func ReadTree(root string) (*Tree, error) {
	t := &Tree{Root: root}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == ".git" || rel == "bin" {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || slices.Contains([]string{".test", ".prof", ".out"}, path.Ext(rel)) {
			return nil
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return t.add(rel, content)
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// add puts one file into the tree.
func (t *Tree) add(rel string, content []byte) error {
	if bytes.IndexByte(content, 0) >= 0 {
		return nil
	}
	text := Text{Path: rel, Content: content}
	t.Texts = append(t.Texts, text)
	if path.Ext(rel) != ".go" || inTestdata(rel) {
		return nil
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, rel, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	t.Files = append(t.Files, &File{Text: text, Fset: fset, Syntax: syntax})
	return nil
}

// inTestdata says whether the go command would pass the path over.
func inTestdata(rel string) bool {
	return slices.Contains(strings.Split(rel, "/"), "testdata")
}

// IsTest says whether the file belongs to a test.
func (f *File) IsTest() bool {
	return strings.HasSuffix(f.Path, "_test.go")
}

// Dir is the package's directory relative to the root, "." for the root.
func (f *File) Dir() string {
	return path.Dir(f.Path)
}

// at is a finding at a node.
func (f *File) at(node ast.Node, format string, args ...any) Finding {
	return Finding{Path: f.Path, Line: f.Fset.Position(node.Pos()).Line, Message: fmt.Sprintf(format, args...)}
}
