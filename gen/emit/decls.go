package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/names"
)

// Decls returns the source of the file that declares the types of a schema file, which must be one of the package's and have types.
//
// If the package declares a name that the file uses as Go's own, such as string, the error is a [diag.List]. Any other error is a fault of the generator: that the names of the types are free is
// up to the frontend.
func (p *Package) Decls(src *ir.File, opts Options) ([]byte, error) {
	if opts.Version == "" {
		opts.Version = "(devel)"
	}
	f := newFile(p, src, opts)
	head := ir.Header + "\n// rwgen " + opts.Version + "\n// Source: " + src.Source
	if opts.Header != "" {
		head += "\n\n" + AsComment(opts.Header)
	}
	f.out.HeaderComment(head)
	for _, d := range src.Decls {
		f.decl(d)
	}
	return f.render()
}

// decl declares a type, with what belongs to it.
func (f *file) decl(d *ir.Decl) {
	name := d.Type.Name.Name
	doc := d.Doc
	if doc == "" {
		doc = name + " is " + d.Schema + " of the schema."
	}
	f.docs(doc)
	switch {
	case d.Type.Kind == ir.Union:
		f.unionDecl(d)
	case len(d.Constants) > 0:
		f.enumDecl(d)
	default:
		f.out.Type().Id(name).Add(f.declared(d.Type))
		f.out.Line()
	}
}

// declared returns the type that a declaration of t gives a name to.
func (f *file) declared(t *ir.Type) *jen.Statement {
	if t.Kind == ir.Struct {
		return f.declaredStruct(t)
	}
	plain := *t
	plain.Name = nil
	return f.typ(&plain)
}

// declaredStruct returns a struct type with the comments and tags of its fields.
func (f *file) declaredStruct(t *ir.Type) *jen.Statement {
	if len(t.Fields) == 0 {
		return jen.Struct()
	}
	return jen.StructFunc(func(g *jen.Group) {
		for _, fld := range t.Fields {
			for _, line := range commentLines(fld.Doc) {
				g.Comment(line)
			}
			field := g.Id(fld.Name).Add(f.typ(fld.Type))
			if tag := fieldTag(fld); tag != "" {
				field.Tag(map[string]string{"rw": tag})
			}
		}
	})
}

// fieldTag returns the value of the rw key in the tag of a field, "" for none.
func fieldTag(fld *ir.Field) string {
	options := fld.Options()
	for i, o := range options {
		name, value, hasValue := strings.Cut(o, "=")
		if hasValue && strings.ContainsAny(value, ",'") {
			options[i] = name + "='" + strings.ReplaceAll(value, "'", "''") + "'"
		}
	}
	return strings.Join(options, ",")
}

// unionDecl declares an interface and the method of its members.
func (f *file) unionDecl(d *ir.Decl) {
	members := make([]string, len(d.Type.Members))
	for i, m := range d.Type.Members {
		members[i] = pointed(m).Name.Name
		if m.Kind == ir.Pointer {
			members[i] = "*" + members[i]
		}
	}
	f.out.Comment("//")
	f.out.Comment("//rwgen:union " + strings.Join(members, ","))
	f.out.Type().Id(d.Type.Name.Name).Interface(jen.Id(d.Marker).Params())
	f.out.Line()
	for _, m := range d.Type.Members {
		f.out.Func().Params(f.typ(m)).Id(d.Marker).Params().Block()
	}
	f.out.Line()
}

// enumDecl declares an integer type, its constants, and the functions between them and their symbols.
func (f *file) enumDecl(d *ir.Decl) {
	name := d.Type.Name.Name
	f.out.Type().Id(name).Add(f.declared(d.Type))
	f.out.Line()
	f.comment("The values of %s.", name)
	counted := true
	for i, c := range d.Constants {
		counted = counted && c.Value == int64(i)
	}
	f.out.Const().DefsFunc(func(g *jen.Group) {
		for i, c := range d.Constants {
			for _, line := range commentLines(c.Doc) {
				g.Comment(line)
			}
			switch {
			case counted && i > 0:
				g.Id(c.Name)
			case counted:
				g.Id(c.Name).Id(name).Op("=").Iota()
			default:
				g.Id(c.Name).Id(name).Op("=").Id(strconv.FormatInt(c.Value, 10))
			}
		}
	})
	f.out.Line()
	v := strings.ToLower(name[:1])
	if v[0] >= 0x80 || names.Reserved(v) {
		v = "v"
	}
	// Of several names for a value the first one counts.
	var values []ir.Constant
	seen := make(map[int64]bool)
	for _, c := range d.Constants {
		if !seen[c.Value] {
			seen[c.Value] = true
			values = append(values, c)
		}
	}
	f.comment("Valid reports whether %s is one of the values that the schema names.", v)
	f.out.Func().Params(jen.Id(v).Id(name)).Id("Valid").Params().Bool().BlockFunc(func(g *jen.Group) {
		last := d.Constants[len(d.Constants)-1].Name
		switch {
		case counted && len(d.Constants) == 1:
			g.Return(jen.Id(v).Op("==").Id(last))
		case counted:
			g.Return(jen.Id(d.Constants[0].Name).Op("<=").Id(v).Op("&&").Id(v).Op("<=").Id(last))
		default:
			g.Switch(jen.Id(v)).Block(
				jen.CaseFunc(func(g *jen.Group) {
					for _, c := range values {
						g.Id(c.Name)
					}
				}).Block(jen.Return(jen.True())),
			)
			g.Return(jen.False())
		}
	})
	f.out.Line()
	f.comment("String returns the symbol of %s in the schema, or its number if it has none.", v)
	f.out.Func().Params(jen.Id(v).Id(name)).Id("String").Params().String().Block(
		jen.Switch(jen.Id(v)).BlockFunc(func(g *jen.Group) {
			for _, c := range values {
				g.Case(jen.Id(c.Name)).Block(jen.Return(jen.Lit(c.Symbol)))
			}
		}),
		jen.Return(jen.Lit(name+"(").Op("+").Add(f.qual("strconv", "Itoa")).Call(jen.Int().Call(jen.Id(v))).Op("+").Lit(")")),
	)
	f.out.Line()
	f.comment("Parse%s returns the value of a symbol in the schema.", name)
	f.out.Func().Id("Parse"+name).Params(jen.Id("symbol").String()).Params(jen.Id(name), jen.Error()).Block(
		jen.Switch(jen.Id("symbol")).BlockFunc(func(g *jen.Group) {
			for _, c := range d.Constants {
				g.Case(jen.Lit(c.Symbol)).Block(jen.Return(jen.Id(c.Name), jen.Nil()))
			}
		}),
		jen.Return(jen.Lit(0), f.qual("fmt", "Errorf").Call(jen.Lit("no symbol %q in "+d.Schema), jen.Id("symbol"))),
	)
	f.out.Line()
}
