package gosrc

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// withForm is the option of //rwgen:record for all that can be generated on request.
var withForm = "with=" + strings.Join(ir.Withs(), ",")

// recordOptions are the options of //rwgen:record.
type recordOptions struct {
	with    ir.With
	aliases []word // names that the record had before
	several bool   // the directive has several instances
	// format is nil if nothing is said about it.
	format *ir.Format
}

// recordOptions takes the options out of the words after //rwgen:record and returns the other words. What is wrong with options is reported.
func (p *directiveParser) recordOptions(args []word) (rest []word, options recordOptions) {
	given := make(map[string]bool)
	for i, w := range args {
		key, _, isOption := strings.Cut(w.text, "=")
		switch {
		case key == "with" && i+1 < len(args) && strings.HasSuffix(w.text, ","):
			p.fail(args[i+1].pos, "with="+joinList(append([]word{w.part(len("with="), len(w.text))}, args[i+1:]...)),
				"unexpected %q: the names of with= are separated by commas, without spaces", args[i+1].text)
			return rest, options // the rest is part of the same
		case !isOption || strings.ContainsAny(key, "[]{}()"):
			rest = append(rest, w)
		case key != "with" && key != "alias" && key != "format":
			hint := withForm + ", alias=OldName, format=protobuf"
			if near := diag.Nearest(key, []string{"with", "alias", "format"}); near != "" {
				hint = near + w.text[len(key):]
			}
			p.fail(w.pos, hint, "//rwgen:record has no option %q", key)
		case given[key]:
			hint := "one " + key + "= with all names"
			if key == "format" {
				hint = "remove one of them"
			}
			p.fail(w.pos, hint, "%s= stands here twice", key)
		case key == "with":
			options.with = p.names(w.part(len("with="), len(w.text)))
		case key == "format":
			options.format = p.format(w.part(len("format="), len(w.text)))
		default:
			options.aliases = p.recordAliases(w.part(len("alias="), len(w.text)))
		}
		given[key] = true
	}
	return rest, options
}

// names reads the value of with=: names separated by commas.
func (p *directiveParser) names(list word) ir.With {
	var with ir.With
	for _, w := range list.list() {
		one, problem, hint := withName(w.text)
		switch {
		case problem != "":
			p.fail(w.pos, hint, "%s", problem)
		case with.Has(one):
			p.fail(w.pos, "remove one of them", "with=: %s stands here twice", w.text)
		}
		with |= one
	}
	return with
}

// withName reads one name of what can be generated, and says what is wrong with it and what would be right.
func withName(name string) (with ir.With, problem, hint string) {
	if with, ok := ir.ParseWith(name); ok {
		return with, "", ""
	}
	if name == "" {
		return 0, "with=: an empty name", withForm
	}
	hint = withForm
	if near := diag.Nearest(name, ir.Withs()); near != "" {
		hint = near
	}
	return 0, fmt.Sprintf("with=: %q is nothing that can be generated", name), hint
}

// parseWith reads the names of [Config].With.
func parseWith(names []string) (ir.With, error) {
	var with ir.With
	for _, name := range names {
		one, problem, hint := withName(strings.TrimSpace(name))
		if problem != "" {
			return 0, fmt.Errorf("%w: %s, try %s", ErrConfig, problem, hint)
		}
		with |= one
	}
	return with, nil
}

// binaryNames are the methods that with=binary declares.
var binaryNames = []string{"AppendBinary", "MarshalBinary", "UnmarshalBinary"}

// checkWith reports what keeps a record from having what it is to be generated with. Methods can only be declared for a type of the package, and
// not for a single instance of a generic one.
func (u *unit) checkWith(r *ir.Record, t *types.Named) {
	if r.Format.Calls() && r.With != 0 {
		u.diags.Addf(r.Pos, diag.Record, "%s cannot have with=%s: that is made from the encodings of fields, and in the format %s only the methods of the type know them", r.Name, r.With, r.Format).
			Hint = "leave with= out"
		return
	}
	if !r.With.Has(ir.WithBinary) {
		return
	}
	fail := func(hint, format string, args ...any) {
		u.diags.Addf(r.Pos, diag.Record, "%s cannot have with=binary: %s", r.Name, fmt.Sprintf(format, args...)).Hint = hint
	}
	const others = "leave binary out; the methods of the serializer do the same"
	switch obj := t.Obj(); {
	case t.TypeArgs().Len() > 0:
		fail(others, "methods of a generic type are those of all its instances")
		return
	case obj.Pkg() == nil || obj.Pkg().Path() != u.pkg.PkgPath || u.pkg.Types.Scope().Lookup(obj.Name()) != obj:
		fail(others, "its type is declared in another package, and methods cannot be added to it")
		return
	}
	for _, name := range binaryNames {
		for m := range t.Methods() {
			if m.Name() == name && !u.generated(m.Pos()) {
				fail("leave binary out, or remove the method", "it has a method %s", name)
			}
		}
		st := t.Underlying().(*types.Struct)
		for f := range st.Fields() {
			if f.Name() == name {
				fail("leave binary out, or rename the field", "it has a field %s", name)
			}
		}
	}
}
