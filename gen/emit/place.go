package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// place is where a value stands in generated code. Its expressions hold no package names, so they are plain text.
type place struct {
	expr string // Go expression for the value, or for a pointer to it if deref is set
	// deref says that expr is a pointer to the value.
	deref bool
	typ   *ir.Type
	path  trail // for errors
	// fld is the field that the value stands in directly, whose tag says more on it; nil for others.
	fld *ir.Field
	// part says for an entry of a map which of the two the value is, "key" or "value"; "" for others.
	part string
	// fresh says that the value is a variable that was declared for it, so that it is zero before it is read.
	fresh bool
}

// value returns the expression of the value itself.
func (p place) value() string {
	if p.deref {
		return "*" + p.expr
	}
	return p.expr
}

// pointer returns an expression of a pointer to the value.
func (p place) pointer() string {
	if p.deref {
		return p.expr
	}
	return "&" + p.expr
}

// operand returns the value in a form that selectors, indices and calls can follow.
func (p place) operand() string { return paren(p.value()) }

// selectable returns the value, or the pointer to it, in a form that a field selector can follow.
func (p place) selectable() string { return paren(p.expr) }

func paren(expr string) string {
	if strings.HasPrefix(expr, "*") {
		return "(" + expr + ")"
	}
	return expr
}

// field returns the place of a field of a struct.
func (p place) field(f *ir.Field) place {
	selector := f.Name
	if len(f.Methods) > 0 {
		selector = strings.Join(f.Methods, "().") + "()"
	}
	return place{expr: p.selectable() + "." + selector, typ: f.Type, path: p.path.field(f.Name), fld: f}
}

// elem returns the place of the element with the index of that name.
func (p place) elem(index string) place {
	return place{expr: p.operand() + "[" + index + "]", typ: p.typ.Elem, path: p.path.index(index)}
}

// pointee returns the place that a pointer at p points to.
func (p place) pointee() place {
	return place{expr: p.value(), deref: true, typ: p.typ.Elem, path: p.path}
}

// at returns the same value under another expression.
func (p place) at(expr string) place {
	p.expr, p.deref = expr, false
	return p
}

// trail leads from the value that a function reads to a part of it, for errors.
type trail []step

// step is one step of a path: a field, or the variable that holds an index.
type step struct {
	name    string
	isIndex bool
}

func (p trail) field(name string) trail {
	// The fields of structs that are read in place make one step.
	if n := len(p); n > 0 && !p[n-1].isIndex {
		return append(p[:n-1:n-1], step{name: p[n-1].name + "." + name})
	}
	return append(p[:len(p):len(p)], step{name: name})
}

func (p trail) index(variable string) trail {
	return append(p[:len(p):len(p)], step{name: variable, isIndex: true})
}

// fieldName returns the last field on the path, "" if there is none.
func (p trail) fieldName() string {
	for i := len(p) - 1; i >= 0; i-- {
		if !p[i].isIndex {
			return p[i].name
		}
	}
	return ""
}

// wrap returns the expression of err at that path and offset.
func (f *fn) wrap(p trail, offset string, err jen.Code) jen.Code {
	suffix := "Error"
	if f.writes {
		suffix = "Refused"
	}
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].isIndex {
			err = f.wire("Index"+suffix).Call(jen.Id(p[i].name), jen.Id(offset), err)
		} else {
			err = f.wire("Field"+suffix).Call(jen.Lit(p[i].name), jen.Id(offset), err)
		}
		offset = "0"
	}
	if offset == "0" {
		return err
	}
	// What stands before the value is no part of the path: the tag of a union, or other values of the same function.
	if f.writes {
		return f.wire("WithinRefused").Call(jen.Id(offset), err)
	}
	return f.wire("Within").Call(jen.Id(offset), err)
}
