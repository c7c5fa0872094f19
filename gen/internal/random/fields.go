package random

import (
	"fmt"
	"slices"
	"strings"
)

// hardNames are field names that generated code has uses for itself.
var hardNames = []string{"n", "i", "dst", "src", "v", "err", "len", "cap", "string", "nil", "make", "ok", "Size", "Put", "Append", "wire", "record",
	"limits", "budget", "text", "math", "binary", "Type", "Schema", "a_b", "aB", "depth", "elem", "key", "tag", "core", "out"}

// largest is how many bytes a struct may have in memory, roughly: arrays of structs of arrays would grow without bound.
const largest = 1500

// declare declares a struct, and the methods that make it a member of unions.
func (g *generator) declare(s *structType) {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s is a struct.\n", s.name)
	var keyed []string
	encoded := 0
	used := map[string]bool{"_": true}
	var fields strings.Builder
	for range 1 + g.rng.IntN(7) {
		key, ok := g.field(s, &fields, used)
		if ok {
			encoded++
		}
		if key != "" {
			keyed = append(keyed, key)
		}
	}
	// A record needs a field that is encoded.
	if s.record && encoded > 0 {
		b.WriteString("//\n//rwgen:record" + g.with() + "\n")
		if len(keyed) > 0 && g.oneIn(2) {
			fmt.Fprintf(&b, "//rwgen:writer ByKey key=%s\n", pick(g, keyed))
		}
		if g.oneIn(6) {
			fmt.Fprintf(&b, "//rwgen:writer All %s\n", pick(g, []string{"broadcast", "rebalance", "shuffle", "load"}))
		}
	}
	fmt.Fprintf(&b, "type %s struct {\n%s}", s.name, fields.String())
	for _, m := range s.methods {
		pointer := ""
		if m[0] == '*' {
			pointer, m = "*", m[1:]
		}
		fmt.Fprintf(&b, "\n\nfunc (%s%s) %s() {}", pointer, s.name, m)
	}
	g.decls = append(g.decls, b.String())
}

// with returns what is to be generated for a record on request: often nothing, or everything.
func (g *generator) with() string {
	all := []string{"equal", "clone", "reset", "hash", "binary"}
	switch g.rng.IntN(4) {
	case 0:
		return ""
	case 1:
		return " with=" + strings.Join(all, ",")
	}
	g.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return " with=" + strings.Join(all[:1+g.rng.IntN(len(all))], ",")
}

// field adds a field to a struct. It returns whether the field is encoded, and its name if it may be a key of writers.
func (g *generator) field(s *structType, b *strings.Builder, used map[string]bool) (key string, encoded bool) {
	switch g.rng.IntN(24) {
	case 0:
		fmt.Fprintf(b, "\t_ %s\n", pick(g, []string{"int", "struct{}", "[0]func()"}))
		return "", false
	case 1:
		name := g.name(used)
		fmt.Fprintf(b, "\t%s %s `rw:\"-\"`\n", name, pick(g, []string{"chan int", "func()", "any", "int", "[]map[string]chan bool"}))
		return "", false
	case 2, 3:
		if name := g.embedded(s); name != "" && !used[name] {
			used[name] = true
			star := ""
			if g.oneIn(2) {
				star = "*"
			}
			fmt.Fprintf(b, "\t%s%s\n", star, name)
			return "", true
		}
	}
	t := g.typ(s, 3)
	if s.size+t.size > largest {
		t = pick(g, basicTypes)
	}
	s.size += t.size
	if g.oneIn(10) {
		t = g.alias(t)
	}
	name := g.name(used)
	tag := g.tag(t, used)
	fmt.Fprintf(b, "\t%s %s%s\n", name, t.expr, tag)
	if t.kind != "" && slices.Contains([]string{"bool", "int8", "int", "float", "string", "bytes", "time"}, t.kind) {
		return name, true
	}
	return "", true
}

func (g *generator) name(used map[string]bool) string {
	for {
		name := fmt.Sprintf("F%d", g.rng.IntN(100))
		if g.oneIn(4) {
			name = pick(g, hardNames)
		}
		if !used[name] {
			used[name] = true
			return name
		}
	}
}

// embedded returns the name of an earlier struct that may be embedded.
func (g *generator) embedded(s *structType) string {
	if s.number == 0 {
		return ""
	}
	e := g.local[g.rng.IntN(s.number)]
	if s.size+e.size > largest {
		return ""
	}
	s.size += e.size
	return e.name
}

// alias declares an alias of a type.
func (g *generator) alias(t typ) typ {
	name := fmt.Sprintf("A%d", g.next)
	g.next++
	g.addf("type %s = %s", name, t.expr)
	t.expr = name
	g.aliases = append(g.aliases, t)
	return t
}

// typ returns a type for a field of s, with that many levels at most.
func (g *generator) typ(s *structType, levels int) typ {
	if levels == 0 {
		return pick(g, basicTypes)
	}
	switch g.rng.IntN(22) {
	case 0, 1, 2, 3:
		return pick(g, basicTypes)
	case 4, 5:
		return pick(g, g.named)
	case 6:
		return pick(g, g.foreign)
	case 7:
		return pick(g, g.own)
	case 8, 9:
		return typ{"[]" + g.indirect(s, levels).expr, "slice", "", 24}
	case 10:
		t := g.typ(s, levels-1)
		n := g.rng.IntN(4)
		return typ{fmt.Sprintf("[%d]%s", n, t.expr), "", "", n * t.size}
	case 11, 12:
		key := pick(g, g.keyTypes)
		return typ{fmt.Sprintf("map[%s]%s", key.expr, g.indirect(s, levels).expr), "map", key.kind, 8}
	case 13, 14:
		return typ{"*" + g.indirect(s, levels).expr, "", "", 8}
	case 15:
		return g.anonymous(s, levels)
	case 16, 17:
		if s.number > 0 {
			e := g.local[g.rng.IntN(s.number)]
			return typ{e.name, "", "", e.size}
		}
	case 18:
		return g.instance(levels)
	case 19, 20:
		if len(g.union) > 0 {
			return typ{pick(g, g.union), "", "", 16}
		}
	case 21:
		if len(g.aliases) > 0 && s.number > 0 {
			return typ{"[]" + pick(g, g.aliases).expr, "slice", "", 24}
		}
	}
	return pick(g, g.named)
}

// indirect returns a type for what a slice, map or pointer leads to: also structs that come later, or s itself.
func (g *generator) indirect(s *structType, levels int) typ {
	if g.oneIn(4) {
		return typ{pick(g, g.local).name, "", "", 0}
	}
	return g.typ(s, levels-1)
}

// anonymous returns a struct type without a name.
func (g *generator) anonymous(s *structType, levels int) typ {
	var fields []string
	size := 0
	for i := range g.rng.IntN(4) {
		t := g.typ(s, levels-1)
		size += t.size
		fields = append(fields, fmt.Sprintf("X%d %s%s", i, t.expr, g.tag(t, nil)))
	}
	return typ{"struct{" + strings.Join(fields, "; ") + "}", "", "", size}
}

// instance returns an instance of a generic type, with arguments that are no structs of the package: those could make instances without end.
func (g *generator) instance(levels int) typ {
	gt := pick(g, g.generic)
	var args []string
	size := 0
	for i := range gt.args {
		t := pick(g, basicTypes)
		switch {
		case gt.key && i == gt.args-1:
			t = pick(g, g.keyTypes)
		case levels > 1 && g.oneIn(4):
			t = g.instance(levels - 1)
		case g.oneIn(3):
			t = pick(g, g.named)
		case g.oneIn(4):
			t = pick(g, g.foreign)
		}
		size += 3 * t.size
		args = append(args, t.expr)
	}
	return typ{gt.name + "[" + strings.Join(args, ", ") + "]", "", "", size + 40}
}

// tag returns a struct tag for a field, or nothing. Used holds the names in the struct, nil where there should be no renaming.
func (g *generator) tag(t typ, used map[string]bool) string {
	if !g.oneIn(3) {
		return ""
	}
	var options []string
	add := func(list ...string) { options = append(options, pick(g, list)) }
	switch t.kind {
	case "int":
		add("varint", "varint", "fixed")
	case "string":
		add("max=3", "max=200", "utf8", "intern", "view", "utf8,max=9", "intern,max=2", "utf8,view")
	case "bytes":
		add("max=3", "max=100", "view", "view,max=5")
	case "time":
		add("unixnano")
	case "slice":
		add("max=2", "max=100")
	case "map":
		add("max=2", "max=100")
		if slices.Contains([]string{"bool", "int", "int8", "string"}, t.elem) {
			add("sorted")
		}
	}
	if used != nil && g.oneIn(3) {
		if name := fmt.Sprintf("W%d", g.rng.IntN(1000)); !used[name] {
			used[name] = true
			options = append(options, "name="+name)
		}
	}
	g.rng.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
	if len(options) == 0 {
		return ""
	}
	return fmt.Sprintf(" `rw:%q`", strings.Join(options, ","))
}
