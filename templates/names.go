package templates

import (
	"path"
	"strings"

	"github.com/rwgen/rwgen/gen/names"
	"github.com/rwgen/rwgen/templates/model"
)

// Names are the identifiers of one package, for all outputs of a run: what one of them declares, another cannot declare or import. They are for one goroutine at a time.
type Names struct {
	taken    []string // declared by the package itself and by generated code: imports keep clear of these
	declared *names.Scope
	imports  map[string]string // declared names of packages by import path
	given    []string          // to what outputs declare
}

// NewNames returns the names of a package. Scope holds what its sources declare, fileNames what these import.
func NewNames(p *model.Package, scope, fileNames []string) *Names {
	n := &Names{taken: scope, declared: names.NewScope(), imports: make(map[string]string)}
	for _, r := range p.Records {
		n.taken = append(n.taken, names.ForRecord(r.Name).All()...)
		for _, w := range r.Writers {
			n.taken = append(n.taken, w.Type, w.Constructor)
		}
	}
	n.declared.Reserve(n.taken...)
	n.declared.Reserve(fileNames...)
	for _, i := range p.Imports {
		n.imports[i.Path] = i.Name
	}
	return n
}

// execution is one execution of a template.
type execution struct {
	counter
	names   *Names
	imports *names.Scope      // what an import must not be called
	aliases map[string]string // of what has been imported, by path
}

func (n *Names) execution(c counter) *execution {
	x := &execution{counter: c, names: n, imports: names.NewScope(), aliases: make(map[string]string)}
	x.imports.Reserve(n.taken...)
	x.imports.Reserve(n.given...)
	return x
}

// name returns the name that a package declares, as far as that is known, and otherwise most likely has.
func (n *Names) name(importPath string) string {
	if name := n.imports[importPath]; name != "" {
		return name
	}
	name := path.Base(importPath)
	if dir := path.Dir(importPath); dir != "." && version(name) {
		name = path.Base(dir)
	}
	return name
}

// version says that an element of an import path is a major version.
func version(element string) bool {
	digits, ok := strings.CutPrefix(element, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// imported returns the name of an import, which it adds if need be.
func (x *execution) imported(importPath string) string {
	if name := x.aliases[importPath]; name != "" {
		return name
	}
	name := x.names.name(importPath)
	if usable := names.Package(name); usable != name {
		name = usable
	}
	if name == "" {
		name = "pkg"
	}
	if !x.imports.Claim(name) {
		other := names.Package(path.Base(path.Dir(importPath)))
		if path.Dir(importPath) == "." {
			other = "std"
		}
		name = x.imports.Pick(other + name)
	}
	x.names.declared.Reserve(name)
	x.aliases[importPath] = name
	return name
}
