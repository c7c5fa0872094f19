package gosrc_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

// extras lists what [ir.Dump] leaves out: imports whose names are not the ends of their paths, the members of unions, the encodings of types that have one of their own, and what tags say.
func extras(p *ir.Package) string {
	var b strings.Builder
	seen := make(map[*ir.Type]bool)
	name := func(t *ir.Type) string {
		star := ""
		if t.Kind == ir.Pointer && t.Name == nil {
			star, t = "*", t.Elem
		}
		if t.Name == nil {
			return star + t.Kind.String()
		}
		return star + t.Name.PkgName + "." + t.Name.Name
	}
	var walk func(t *ir.Type)
	walk = func(t *ir.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t.Kind {
		case ir.Union:
			var members []string
			for _, m := range t.Members {
				members = append(members, name(m)+"="+m.Kind.String())
			}
			fmt.Fprintf(&b, "union %s: %s recursive=%t\n", name(t), strings.Join(members, " "), t.Recursive)
		case ir.Codec:
			form := t.Codec.Form.String()
			if t.Codec.Append {
				form += " append"
			}
			if t.Codec.Registered != nil {
				form += " " + t.Codec.Registered.Name
			}
			fmt.Fprintf(&b, "codec %s: %s size=%d\n", name(t), form, t.GoSize)
		}
		for f := range t.Encoded() {
			if tag := tagText(f); tag != "" {
				fmt.Fprintf(&b, "tag %s.%s:%s\n", name(t), f.Name, tag)
			}
		}
		for _, next := range slices.Concat([]*ir.Type{t.Key, t.Elem}, t.Members) {
			walk(next)
		}
		for f := range t.Encoded() {
			walk(f.Type)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		if name := p.Imports[path]; name != path[strings.LastIndexByte(path, '/')+1:] {
			fmt.Fprintf(&b, "import %s %q\n", name, path)
		}
	}
	for _, f := range p.Files {
		for _, r := range f.Records {
			walk(r.Type)
		}
	}
	return b.String()
}

func tagText(f *ir.Field) string {
	var s string
	if f.Wire != "" {
		s += " name=" + f.Wire
	}
	if len(f.Aliases) > 0 {
		s += " alias=" + strings.Join(f.Aliases, "|")
	}
	if f.HasDefault {
		s += fmt.Sprintf(" default=%q", f.Default)
	}
	if f.Max > 0 {
		s += fmt.Sprint(" max=", f.Max)
	}
	for _, o := range []struct {
		set  bool
		name string
	}{{f.UTF8, "utf8"}, {f.Sorted, "sorted"}, {f.UnixNano, "unixnano"}, {f.Intern, "intern"}, {f.View, "view"}} {
		if o.set {
			s += " " + o.name
		}
	}
	return s
}
