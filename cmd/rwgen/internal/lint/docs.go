package lint

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
)

// PackageDocs checks that every package has exactly one package comment and that it stands in doc.go. A command may have it in
// main.go, where its flags are, and packages below gen/internal, which are input of tests, in any file; packages that consist of tests
// alone need none. The comment begins the way godoc expects: "Package name", and for a command "Command name" or just the name.
func PackageDocs(t *Tree) []Finding {
	packages := map[string][]*File{}
	for _, f := range t.Files {
		if !f.IsTest() {
			packages[f.Dir()] = append(packages[f.Dir()], f)
		}
	}
	var findings []Finding
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		findings = append(findings, packageDoc(dir, packages[dir])...)
	}
	return findings
}

// packageDoc checks one package.
func packageDoc(dir string, files []*File) []Finding {
	var documented []*File
	for _, f := range files {
		if f.Syntax.Doc != nil && hasText(f.Syntax.Doc) {
			documented = append(documented, f)
		}
	}
	name := files[0].Syntax.Name.Name
	if len(documented) != 1 {
		return []Finding{{Path: dir, Message: fmt.Sprintf("package %s has %d package comments, want one", name, len(documented))}}
	}
	f := documented[0]
	var findings []Finding
	file, text := path.Base(f.Path), f.Syntax.Doc.Text()
	if name == "main" {
		command := path.Base(dir)
		title := strings.ToUpper(command[:1]) + command[1:]
		if file != "doc.go" && file != "main.go" {
			findings = append(findings, f.at(f.Syntax.Doc, "the package comment of %s belongs in doc.go or main.go", command))
		}
		if !strings.HasPrefix(text, "Command "+command+" ") && !strings.HasPrefix(text, title+" ") {
			findings = append(findings, f.at(f.Syntax.Doc, "the package comment begins %q, want %q or %q", firstWords(text), "Command "+command+" …", title+" …"))
		}
		return findings
	}
	if file != "doc.go" && !under(dir, "gen/internal") {
		findings = append(findings, f.at(f.Syntax.Doc, "the package comment of %s belongs in doc.go", name))
	}
	if want := "Package " + name + " "; !strings.HasPrefix(text, want) {
		findings = append(findings, f.at(f.Syntax.Doc, "the package comment begins %q, want %q", firstWords(text), want+"…"))
	}
	return findings
}

// hasText says whether a comment is more than directives.
func hasText(doc *ast.CommentGroup) bool {
	return doc.Text() != ""
}

// firstWords is what a finding quotes of a comment.
func firstWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(3, len(words))], " ")
}
