package random

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// Sources returns the files of a package with the given import path, and of a package sub below it, by their names with slashes. The same seed
// gives the same files.
func Sources(seed uint64, path string) map[string]string {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 0)), path: path}
	g.sub()
	g.basics()
	g.keys()
	g.codecs()
	g.generics()
	g.structs()
	g.unions()
	for _, s := range g.local {
		g.declare(s)
	}
	return g.files()
}

// generator holds what was declared so far.
type generator struct {
	rng  *rand.Rand
	path string

	decls    []string // declarations of the package
	subDecls []string // of the package below it

	named    []typ // named types of basic and other simple kinds
	keyTypes []typ // types that may be map keys
	own      []typ // types with encodings of their own
	foreign  []typ // structs of the package below
	generic  []genericType
	local    []*structType
	aliases  []typ
	union    []string
	next     int // number of the next alias
}

// typ is a type expression and what must be known to put it somewhere.
type typ struct {
	expr string
	kind string // of those that tags and keys care about: bool int8 int float string bytes time map slice; otherwise empty
	elem string // kind of the key of a map
	size int    // rough bytes in memory
}

// structType is a struct of the package. Those that come later contain those before by value, and others behind pointers.
type structType struct {
	name   string
	number int
	record bool
	// methods are markers of the unions that the struct is a member of, "*" in front if only by pointer.
	methods []string
	size    int
}

type genericType struct {
	name string
	args int  // type parameters
	key  bool // the last one must be comparable
}

func (g *generator) oneIn(n int) bool { return g.rng.IntN(n) == 0 }

func pick[T any](g *generator, list []T) T { return list[g.rng.IntN(len(list))] }

func (g *generator) addf(format string, args ...any) {
	g.decls = append(g.decls, fmt.Sprintf(format, args...))
}

var basicTypes = []typ{
	{"bool", "bool", "", 1}, {"int8", "int8", "", 1}, {"int16", "int", "", 2}, {"int32", "int", "", 4}, {"int64", "int", "", 8},
	{"int", "int", "", 8}, {"uint8", "int8", "", 1}, {"uint16", "int", "", 2}, {"uint32", "int", "", 4}, {"uint64", "int", "", 8},
	{"uint", "int", "", 8}, {"uintptr", "int", "", 8}, {"float32", "float", "", 4}, {"float64", "float", "", 8},
	{"complex64", "complex", "", 8}, {"complex128", "complex", "", 16}, {"string", "string", "", 16}, {"string", "string", "", 16},
	{"rune", "int", "", 4}, {"byte", "int8", "", 1}, {"time.Duration", "int", "", 8},
}

// basics declares named types without structs.
func (g *generator) basics() {
	for i := range 2 + g.rng.IntN(4) {
		b := pick(g, basicTypes)
		name := fmt.Sprintf("N%d", i)
		g.addf("type %s %s", name, b.expr)
		b.expr = name
		g.named = append(g.named, b)
	}
	g.addf("type Blob []byte")
	g.addf("type Octet uint8")
	g.addf("type Strings []string")
	g.named = append(g.named, typ{"Blob", "bytes", "", 24}, typ{"[]Octet", "bytes", "", 24}, typ{"Strings", "slice", "", 24},
		typ{"[]byte", "bytes", "", 24}, typ{"time.Time", "time", "", 24}, typ{"time.Time", "time", "", 24})
}

// keys declares types for map keys.
func (g *generator) keys() {
	g.keyTypes = append(g.keyTypes, basicTypes...)
	for _, n := range g.named {
		if slices.Contains([]string{"bool", "int8", "int", "float", "complex", "string"}, n.kind) {
			g.keyTypes = append(g.keyTypes, n)
		}
	}
	for i := range g.rng.IntN(3) {
		var fields strings.Builder
		size := 0
		for f := range 1 + g.rng.IntN(3) {
			k := pick(g, g.keyTypes)
			size += k.size
			fmt.Fprintf(&fields, "\tF%d %s\n", f, k.expr)
		}
		g.addf("type K%d struct {\n%s}", i, fields.String())
		g.keyTypes = append(g.keyTypes, typ{fmt.Sprintf("K%d", i), "", "", size}, typ{fmt.Sprintf("[%d]K%d", 1+g.rng.IntN(2), i), "", "", 2 * size})
	}
	g.keyTypes = append(g.keyTypes, typ{"[2]int16", "", "", 4}, typ{"[16]byte", "", "", 16}, typ{"*int32", "", "", 8}, typ{"netip.Addr", "", "", 24})
}

// codecs declares types with encodings of their own.
func (g *generator) codecs() {
	g.own = []typ{{"netip.Addr", "", "", 24}, {"netip.Prefix", "", "", 32}, {"big.Int", "", "", 32}, {"*big.Int", "", "", 8}, {"big.Rat", "", "", 64},
		{"url.URL", "", "", 120}, {"*url.URL", "", "", 8}, {"json.RawMessage", "bytes", "", 24}, {"sql.NullString", "", "", 24}, {"net.IP", "bytes", "", 24}}
	if g.oneIn(2) {
		g.addf(`// Own has an encoding of its own.
type Own struct{ n uint16; s string }

func (o %[1]sOwn) %[2]s { return %[3]s, nil }

func (o *Own) UnmarshalBinary(p []byte) error {
	if len(p) == 0 {
		*o = Own{}
		return nil
	}
	o.n, o.s = uint16(p[0]), string(p[1:])
	if o.n == 0 && o.s == "" {
		return errors.New("not the least form")
	}
	return nil
}

func (o *Own) form() []byte {
	if o.n == 0 && o.s == "" {
		return nil
	}
	return append([]byte{byte(o.n)}, o.s...)
}`, pick(g, []string{"*", ""}), pick(g, []string{"AppendBinary(dst []byte) ([]byte, error)", "MarshalBinary() (dst []byte, err error)"}), "append(dst, o.form()...)")
		g.own = append(g.own, typ{"Own", "", "", 24}, typ{"Own", "", "", 24})
	}
	if g.oneIn(2) {
		g.addf(`// hiddenCodec is a codec.
//
//rwgen:codec sub.Hidden
type hiddenCodec struct{}

func (hiddenCodec) Append(dst []byte, v *sub.Hidden) ([]byte, error) { return v.Put(dst), nil }
func (hiddenCodec) Consume(src []byte, v *sub.Hidden) error          { return v.Get(src) }`)
		g.own = append(g.own, typ{"sub.Hidden", "", "", 16}, typ{"sub.Hidden", "", "", 16})
	}
}

// sub declares the package below.
func (g *generator) sub() {
	g.subDecls = append(g.subDecls, `// Hidden has a field that only this package sees.
type Hidden struct{ s string }

func (h *Hidden) Put(dst []byte) []byte { return append(dst, h.s...) }

func (h *Hidden) Get(p []byte) error {
	h.s = string(p)
	return nil
}`)
	g.foreign = append(g.foreign, typ{"time.Month", "int", "", 8})
	for i := range g.rng.IntN(3) {
		var fields strings.Builder
		size := 0
		for f := range 1 + g.rng.IntN(4) {
			b := pick(g, basicTypes)
			form := pick(g, []string{"%s", "%s", "[]%s", "*%s", "map[string]%s", "[2]%s", "[]*%s"})
			size += 2*b.size + 24
			fmt.Fprintf(&fields, "\tF%d %s\n", f, fmt.Sprintf(form, b.expr))
		}
		name := fmt.Sprintf("S%d", i)
		if g.oneIn(2) {
			fmt.Fprintf(&fields, "\tMore []%s\n", name)
		}
		g.subDecls = append(g.subDecls, fmt.Sprintf("type %s struct {\n%s}", name, fields.String()))
		g.foreign = append(g.foreign, typ{"sub." + name, "", "", size})
	}
}

// generics declares generic structs, here and in the package below.
func (g *generator) generics() {
	g.addf("type G0[T any] struct {\n\tV T\n\tL []T\n\tP *G0[T]\n}")
	g.addf("type G1[V any, K comparable] struct {\n\tM map[K]V\n\tK K\n\tIn struct{ Vs [2]V }\n}")
	g.addf("type G2[T, K any] []G0[T]")
	g.subDecls = append(g.subDecls, "type Box[T any] struct {\n\tIn T\n\tBoxes []Box[T]\n}")
	g.generic = []genericType{{"G0", 1, false}, {"G1", 2, true}, {"G2", 2, false}, {"sub.Box", 1, false}}
}

// structs makes up the names of the structs, so that each can be mentioned in all of them.
func (g *generator) structs() {
	for i := range 3 + g.rng.IntN(6) {
		s := &structType{name: fmt.Sprintf("T%d", i), number: i, record: g.oneIn(2)}
		if g.oneIn(4) {
			s.name = fmt.Sprintf("t%d", i)
		}
		g.local = append(g.local, s)
	}
	g.local[len(g.local)-1].record = true
}

// unions declares unions of structs and of other types.
func (g *generator) unions() {
	for i := range g.rng.IntN(3) {
		name := fmt.Sprintf("U%d", i)
		var members []string
		for _, s := range g.local {
			switch {
			case g.oneIn(4):
				members, s.methods = append(members, s.name), append(s.methods, "is"+name)
			case g.oneIn(4):
				members, s.methods = append(members, "*"+s.name), append(s.methods, "*is"+name)
			}
		}
		if len(members) == 0 {
			continue
		}
		g.rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		g.addf("// %[1]s is a union.\n//\n//rwgen:union %[2]s\ntype %[1]s interface{ is%[1]s() }", name, strings.Join(members, ","))
		g.union = append(g.union, name)
	}
	if g.oneIn(3) {
		g.addf("//rwgen:union string,int64,*%s,time.Time,Blob,bool\ntype Any any\n\nvar _ time.Time // of the directive", pick(g, g.local).name)
		g.union = append(g.union, "Any")
	}
}

// files puts the declarations into files.
func (g *generator) files() map[string]string {
	files := make(map[string]string)
	var parts [2][]string
	for _, d := range g.decls {
		i := g.rng.IntN(2)
		parts[i] = append(parts[i], d)
	}
	for i, decls := range parts {
		files[fmt.Sprintf("part%d.go", i)] = file("p", decls, map[string]string{"sub.": g.path + "/sub"})
	}
	files["sub/sub.go"] = file("sub", g.subDecls, nil)
	return files
}

// file returns a source with the imports that the declarations need.
func file(pkg string, decls []string, more map[string]string) string {
	body := strings.Join(decls, "\n\n")
	code := comments.ReplaceAllString(body, "") // what only a directive mentions must not be imported
	var imports []string
	for q, p := range map[string]string{"time.": "time", "netip.": "net/netip", "big.": "math/big", "url.": "net/url", "json.": "encoding/json",
		"sql.": "database/sql", "net.": "net", "errors.": "errors"} {
		if mentions(code, q) {
			imports = append(imports, p)
		}
	}
	for q, p := range more {
		if mentions(code, q) {
			imports = append(imports, p)
		}
	}
	slices.Sort(imports)
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n", pkg)
	for _, p := range imports {
		fmt.Fprintf(&b, "import %q\n", p)
	}
	return b.String() + "\n" + body + "\n"
}

var comments = regexp.MustCompile(`(?m)^//.*$`)

// mentions says that a qualifier stands in a text, as a word of its own.
func mentions(text, qualifier string) bool {
	for rest := text; ; {
		i := strings.Index(rest, qualifier)
		if i < 0 {
			return false
		}
		if i == 0 || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", rune(rest[i-1])) {
			return true
		}
		rest = rest[i+len(qualifier):]
	}
}
