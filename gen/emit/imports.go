package emit

import (
	"path"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/names"
)

// The packages of the runtime that generated code uses.
const (
	runtimePath   = "github.com/rwgen/rwgen/runtime/"
	avroPath      = runtimePath + "avro"
	bufferPath    = runtimePath + "buffer"
	eventtimePath = runtimePath + "eventtime"
	gatePath      = runtimePath + "gate"
	metricsPath   = runtimePath + "metrics"
	recordPath    = runtimePath + "record"
	rwimplPath    = runtimePath + "rwimpl"
	selectorPath  = runtimePath + "selector"
	valuesPath    = runtimePath + "values"
	wirePath      = runtimePath + "wire"
	writerPath    = runtimePath + "writer"
)

// ours lists what generated code imports on its own account, in order of precedence for names.
var ours = []string{
	"context", "encoding/binary", "errors", "iter", "maps", "math", "slices", "strings", "time",
	avroPath, bufferPath, eventtimePath, gatePath, metricsPath, recordPath, rwimplPath, selectorPath, valuesPath, wirePath, writerPath,
}

// onlyFor says which fields bring in a package, of those that few files import: other files may use their names.
var onlyFor = map[string]func(*ir.Field) bool{
	"maps":    func(fld *ir.Field) bool { return fld.Sorted || fld.View },
	"strings": func(fld *ir.Field) bool { return fld.View },
}

// hasField reports whether hit holds for a field of a record, or of what it is made of.
func hasField(pkg *ir.Package, hit func(*ir.Field) bool) bool {
	f, known := newFacts(), memo[bool]{}
	for _, file := range pkg.Files {
		for _, r := range file.Records {
			if f.reaches(known, r.Type, func(t *ir.Type) bool { return anyField(t, hit) }) {
				return true
			}
		}
	}
	return false
}

// hasAvro reports whether a record of the package has the format avro.
func hasAvro(pkg *ir.Package) bool {
	return slices.ContainsFunc(pkg.Files, func(file *ir.File) bool {
		return slices.ContainsFunc(file.Records, func(r *ir.Record) bool { return r.Format == ir.AvroBinary })
	})
}

// declaredName returns the name that a package declares.
func (f *file) declaredName(importPath string) string { return declaredName(f.pkg, importPath) }

func declaredName(pkg *ir.Package, importPath string) string {
	if name, ok := pkg.Imports[importPath]; ok && !slices.Contains(ours, importPath) {
		return name
	}
	return path.Base(importPath)
}

// qual returns an identifier of a package, which becomes an import of the file.
func (f *file) qual(importPath, name string) *jen.Statement {
	f.used[importPath] = true
	return jen.Qual(importPath, name)
}

// avroFn returns an identifier of the package of the primitives of Avro.
func (f *file) avroFn(name string) *jen.Statement { return f.qual(avroPath, name) }

func (f *file) wire(name string) *jen.Statement { return f.qual(wirePath, name) }

// littleEndian returns a method of binary.LittleEndian.
func (f *file) littleEndian(method string) *jen.Statement {
	return f.qual("encoding/binary", "LittleEndian").Dot(method)
}

// nameImports gives every import that the file uses its name: the declared one, unless the package, or another import, has an
// identifier of that name. It runs last, because only now the imports are known; locals have kept clear of all declared names, and aliases keep clear of locals.
func (f *file) nameImports() {
	scope := names.NewScope()
	scope.Reserve(f.pkg.Scope...)
	scope.Reserve(f.plan.declared...)
	scope.Reserve(f.locals...)
	for _, p := range slices.Concat(ours, f.foreign()) {
		if !f.used[p] {
			continue
		}
		declared := f.declaredName(p)
		// A name that jennifer would not leave as it is, such as err, is taken as well.
		if !jen.IsReservedWord(declared) && scope.Claim(declared) {
			f.out.ImportName(p, declared)
			continue
		}
		f.out.ImportAlias(p, scope.Pick(alias(p, declared)))
	}
}

// foreign returns the used imports that are not ours, sorted.
func (f *file) foreign() []string {
	var list []string
	for p := range f.used {
		if !slices.Contains(ours, p) {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return list
}

// alias returns a name for a package whose declared name is taken: std or rw in front for those of ours, otherwise the element of the
// path before the last one.
func alias(importPath, declared string) string {
	switch {
	case strings.HasPrefix(importPath, runtimePath):
		return "rw" + declared
	case slices.Contains(ours, importPath):
		return "std" + declared
	}
	dir := path.Dir(importPath)
	if dir == "." {
		return declared + "pkg"
	}
	return names.Package(path.Base(dir)) + declared
}
