package gosrc

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// tagFault is one thing that is wrong with a tag.
type tagFault struct{ message, hint string }

// parseTag reads the rw key of a struct tag by the rules of the runtime. It returns everything that is wrong with it: what follows on a wrong
// option is read as if the option were not there.
func parseTag(raw string) (record.Tag, []tagFault) {
	var faults []tagFault
	rest := raw
	for {
		tag, err := record.ParseTag(rest)
		if err == nil {
			return tag, faults
		}
		var te *record.TagError
		if !errors.As(err, &te) {
			return record.Tag{}, append(faults, tagFault{message: err.Error()})
		}
		value, _ := reflect.StructTag(raw).Lookup("rw")
		f := tagFault{te.Reason, tagHint(te, value)}
		if slices.Contains(faults, f) {
			return tag, faults
		}
		faults = append(faults, f)
		left, ok := without(rest, te.Option)
		if !ok {
			return tag, faults
		}
		rest = left
	}
}

// without returns a tag with the rw key of rest alone, and in that all options but one; ok is false if there is nothing left.
func without(rest, option string) (left string, ok bool) {
	value, found := reflect.StructTag(rest).Lookup("rw")
	if !found || option == "" {
		return "", false
	}
	at := strings.Index(","+value, ","+option)
	if at < 0 {
		return "", false
	}
	head, tail := value[:at], strings.TrimPrefix(value[at+len(option):], ",")
	if tail == "" {
		head = strings.TrimSuffix(head, ",")
	}
	return "rw:" + strconv.Quote(head+tail), head+tail != ""
}

// tagHint puts the hint of the runtime into the form of a diagnostic's: what to write instead.
func tagHint(te *record.TagError, value string) string {
	if near, ok := strings.CutPrefix(te.Hint, "did you mean "); ok {
		near = strings.TrimSuffix(near, "?")
		name, _, _ := strings.Cut(te.Option, "=")
		return fmt.Sprintf("rw:%q", strings.Replace(value, te.Option, near+te.Option[len(name):], 1))
	}
	if trimmed := strings.TrimSpace(te.Option); trimmed != te.Option {
		return fmt.Sprintf("rw:%q", strings.Replace(value, te.Option, trimmed, 1))
	}
	return strings.TrimPrefix(te.Hint, "write ")
}

// applyTag puts what a tag says into a field, and returns the options that its type, written as typ, does not allow.
func applyTag(f *ir.Field, tag record.Tag, typ string) []tagFault {
	f.Wire, f.Aliases, f.Default, f.HasDefault = tag.Name, tag.Aliases, tag.Default, tag.HasDefault
	if f.Wire == f.Name {
		f.Wire = ""
	}
	f.Varint, f.UTF8, f.Sorted, f.UnixNano, f.Intern, f.View, f.Max = tag.Varint, tag.UTF8, tag.Sorted, tag.UnixNano, tag.Intern, tag.View, tag.Max
	var faults []tagFault
	field := shallow(f.Type, true)
	for {
		err := tag.Check(field)
		if err == nil {
			return faults
		}
		var te *record.TagError
		if !errors.As(err, &te) {
			return append(faults, tagFault{message: err.Error()})
		}
		if strings.HasPrefix(te.Reason, `rw:"`) {
			te.Reason += ", not for " + typ
		}
		faults = append(faults, tagFault{te.Reason, te.Hint})
		if !clearOption(&tag, te.Option) {
			return faults
		}
	}
}

// clearOption takes an option off a tag, so that the others can be checked. It returns false if there is no such option.
func clearOption(tag *record.Tag, option string) bool {
	before := *tag
	switch name, _, _ := strings.Cut(option, "="); name {
	case "varint":
		tag.Varint = false
	case "fixed":
		tag.Fixed = false
	case "max":
		tag.Max = 0
	case "utf8":
		tag.UTF8 = false
	case "sorted":
		tag.Sorted = false
	case "unixnano":
		tag.UnixNano = false
	case "intern":
		tag.Intern = false
	case "view":
		tag.View = false
	case "default":
		tag.HasDefault, tag.Default = false, ""
	}
	return !reflect.DeepEqual(before, *tag)
}

// shallow returns the type as the runtime has it, with the kinds of its parts and no more.
func shallow(t *ir.Type, parts bool) *record.Type {
	if t == nil {
		return nil
	}
	out := &record.Type{Kind: record.KindBool + record.Kind(t.Kind-ir.Bool), Len: t.Len}
	if parts {
		out.Key, out.Elem = shallow(t.Key, false), shallow(t.Elem, false)
	}
	return out
}

// checkNames reports fields of a struct whose names in the schema, or those that they had, are the same.
func (b *builder) checkNames(t *ir.Type, places map[*ir.Field]place) bool {
	type owner struct {
		field *ir.Field
		what  string
	}
	taken := make(map[string]owner)
	ok := true
	take := func(name string, f *ir.Field, what string) {
		first, twice := taken[name]
		if !twice {
			taken[name] = owner{f, what}
			return
		}
		ok = false
		n := len(*b.u.diags)
		b.fail(places[f], diag.Tag, "another "+what, "the %s %s is taken by the %s of %s", what, name, first.what, first.field.Name)
		if len(*b.u.diags) > n {
			(*b.u.diags)[n].Related = []diag.Related{{Pos: first.field.Pos, Message: "declared here"}}
		}
	}
	for f := range t.Encoded() {
		take(f.SchemaName(), f, "name")
	}
	for f := range t.Encoded() {
		for _, a := range f.Aliases {
			take(a, f, "alias")
		}
	}
	return ok
}
