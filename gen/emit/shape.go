package emit

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// shapeCheck generates a function that stops compiling when the struct t changes: code generated for the old fields would silently leave out a new one. It
// never runs.
//
// The strictest form that the struct allows is used: a conversion to a struct type with the same fields; with fields outside the format, whose
// types the generator does not know, a composite literal that needs all fields and a typed pointer to each encoded one; and only the
// pointers where a blank field, or an unexported one of another package, rules out the literal.
func (f *file) shapeCheck(label string, t *ir.Type, record string) {
	what := label
	if label != record {
		what += ", which is part of " + record + ","
	}
	fn := f.newFn()
	// The compiler's message shows the name of the parameter, and so says what to do.
	v := fn.local("changedRunGoGenerate", "staleRunGoGenerate")
	f.docs(fmt.Sprintf("If this does not compile, %s has changed since this file was generated: run go generate.", what))
	f.out.Func().Id("_").Params(jen.Id(v).Op("*").Add(f.typ(t))).BlockFunc(func(g *jen.Group) {
		if convertibleFields(t) {
			g.Id("_").Op("=").Parens(jen.Op("*").Add(f.structType(t))).Call(jen.Id(v))
			return
		}
		if positional(t) {
			g.Id("_").Op("=").Add(f.typ(t)).ValuesFunc(func(g *jen.Group) {
				for _, fld := range t.Fields {
					if fld.Skip || f.mayLock(fld.Type) {
						g.Add(f.qual(rwimplPath, "Zero")).Call(jen.Op("&").Id(v).Dot(fld.Name))
					} else {
						g.Id(v).Dot(fld.Name)
					}
				}
			})
		}
		g.Var().DefsFunc(func(g *jen.Group) {
			for fld := range t.Encoded() {
				if convertible(fld.Type) && spelled(fld.Type) {
					g.Id("_").Op("*").Add(f.typ(fld.Type)).Op("=").Op("&").Id(v).Dot(fld.Name)
				}
			}
		})
	})
	f.out.Line()
}

func convertibleFields(t *ir.Type) bool {
	return !slices.ContainsFunc(t.Fields, func(fld *ir.Field) bool { return fld.Skip || !convertibleField(fld) })
}

// positional says that a composite literal can name all fields of t: none is blank, and none is hidden in another package.
func positional(t *ir.Type) bool {
	return t.Name.Local && !slices.ContainsFunc(t.Fields, func(fld *ir.Field) bool { return fld.Name == "_" })
}

// mayLock says that a t holds something that is not part of the format, which may be a lock that must not be copied.
func (f *facts) mayLock(t *ir.Type) bool {
	return f.locks.of(t, func() bool {
		switch t.Kind {
		case ir.Codec:
			return true
		case ir.Array:
			return f.mayLock(t.Elem)
		case ir.Struct:
			return slices.ContainsFunc(t.Fields, func(fld *ir.Field) bool { return fld.Skip || f.mayLock(fld.Type) })
		}
		return false
	})
}

// typeLabel returns the name of a type for people.
func typeLabel(t *ir.Type) string {
	if t.Name.Local {
		return t.Name.Name
	}
	return t.Name.PkgName + "." + t.Name.Name
}
