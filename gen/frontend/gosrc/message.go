package gosrc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/rwgen/rwgen/gen/ir"
)

// message returns how a type that protoc-gen-go has made of a message is encoded, and gives the record the name of the message. It is nil if it is no such type, which is reported.
func (b *builder) message(r *ir.Record, t *types.Named, fail func(hint, format string, args ...any)) *ir.Encoding {
	const hint = "a type that protoc-gen-go has made, or an alias of one: type Quake = pb.Quake"
	if !declaresMessage(t) {
		if _, _, ok := fieldOrMethod(t, "ProtoReflect"); ok {
			fail(hint, "its methods are those of an embedded field")
		} else {
			fail(hint, "%s is no Protobuf message: it does not declare the method ProtoReflect", b.typeString(t))
		}
		return nil
	}
	file := b.u.position(t.Obj().Pos()).Filename
	name, problem := b.u.messageName(file, t.Obj().Name())
	if problem != "" {
		fail(hint, "the full name of its message cannot be found in %s: %s", filepath.Base(file), problem)
		return nil
	}
	r.Called = name
	deep := cyclic{seen: map[*types.Named]bool{}, open: map[*types.Named]bool{}}
	return &ir.Encoding{Form: ir.Message, Append: true, Fast: declaresFast(t), Deep: deep.message(t)}
}

// fieldOrMethod finds what a selector on a variable of type t means.
func fieldOrMethod(t types.Type, name string) (obj types.Object, index []int, ok bool) {
	obj, index, _ = types.LookupFieldOrMethod(types.NewPointer(t), true, nil, name)
	return obj, index, obj != nil
}

// declaresMessage reports whether t itself has the method by which the runtime of Protobuf knows messages.
func declaresMessage(t *types.Named) bool {
	for m := range t.Methods() {
		if sig := m.Signature(); m.Name() == "ProtoReflect" && sig.Params().Len() == 0 && sig.Results().Len() == 1 {
			return true
		}
	}
	return false
}

// declaresFast reports whether t has the methods of vtprotobuf.
func declaresFast(t *types.Named) bool {
	found := 0
	integer := types.Typ[types.Int]
	for m := range t.Methods() {
		sig := m.Signature()
		switch m.Name() {
		case "SizeVT":
			if signature(sig, nil, []types.Type{integer}) {
				found++
			}
		case "MarshalToSizedBufferVT":
			if signature(sig, []types.Type{byteSlice}, []types.Type{integer, errorType}) {
				found++
			}
		case "UnmarshalVT":
			if signature(sig, []types.Type{byteSlice}, []types.Type{errorType}) {
				found++
			}
		}
	}
	return found == 3
}

// messageName returns the full name of the message of a type, from the descriptor that protoc-gen-go puts into the file of the type. No code of the package runs for that.
func (u *unit) messageName(file, typ string) (name, problem string) {
	src, ok := u.overlay[file]
	if !ok {
		var err error
		if src, err = os.ReadFile(file); err != nil {
			return "", "the file cannot be read"
		}
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, blankBodies(src), parser.SkipObjectResolution)
	if err != nil {
		return "", "the file does not parse"
	}
	raw, ok := rawDescriptor(parsed)
	if !ok {
		return "", "it has no descriptor named file_…_rawDesc"
	}
	var fd descriptorpb.FileDescriptorProto
	if err := proto.Unmarshal(raw, &fd); err != nil {
		return "", "its descriptor is damaged"
	}
	full := ""
	if fd.GetPackage() != "" {
		full = fd.GetPackage() + "."
	}
	if name, ok = messageOf(fd.GetMessageType(), typ, ""); !ok {
		return "", "its descriptor has no message of this type"
	}
	return full + name, ""
}

// messageOf finds the message that the type has been made of. within is what the names of the messages begin with, in the file.
func messageOf(messages []*descriptorpb.DescriptorProto, typ, within string) (name string, ok bool) {
	for _, m := range messages {
		name := within + m.GetName()
		if camelCase(name) == typ {
			return name, true
		}
		if name, ok := messageOf(m.GetNestedType(), typ, name+"."); ok {
			return name, true
		}
	}
	return "", false
}

// camelCase returns the Go name of a message as protoc-gen-go has it: an underscore goes together with the lower-case letter behind it, which becomes an upper-case one. So does the dot before the name of a nested message; before others it becomes an underscore.
func camelCase(name string) string {
	lower := func(c byte) bool { return 'a' <= c && c <= 'z' }
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	var out []byte
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '.' && i+1 < len(name) && lower(name[i+1]):
		case c == '.':
			out = append(out, '_')
		case c == '_' && (i == 0 || name[i-1] == '.'):
			out = append(out, 'X')
		case c == '_' && i+1 < len(name) && lower(name[i+1]):
		case digit(c):
			out = append(out, c)
		default:
			if lower(c) {
				c -= 'a' - 'A'
			}
			out = append(out, c)
			for ; i+1 < len(name) && lower(name[i+1]); i++ {
				out = append(out, name[i+1])
			}
		}
	}
	return string(out)
}

// rawDescriptor returns the value of the declaration in which protoc-gen-go keeps the descriptor of a file: a constant of strings, or in releases before 1.36 a slice of bytes.
func rawDescriptor(f *ast.File) ([]byte, bool) {
	for _, d := range f.Decls {
		gd, ok := d.(*ast.GenDecl)
		if !ok || gd.Tok != token.CONST && gd.Tok != token.VAR {
			continue
		}
		for _, s := range gd.Specs {
			spec, ok := s.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
				continue
			}
			if name := spec.Names[0].Name; strings.HasPrefix(name, "file_") && strings.HasSuffix(name, "_rawDesc") {
				return literalBytes(nil, spec.Values[0])
			}
		}
	}
	return nil, false
}

// literalBytes appends the bytes of an expression: literals of strings that are added up, or a slice of numbers.
func literalBytes(dst []byte, x ast.Expr) ([]byte, bool) {
	// A sum is parsed from the left, so that its depth is the number of its lines.
	var right []ast.Expr
	for {
		sum, ok := x.(*ast.BinaryExpr)
		if !ok || sum.Op != token.ADD {
			break
		}
		right = append(right, sum.Y)
		x = sum.X
	}
	ok := true
	switch x := x.(type) {
	case *ast.BasicLit:
		dst, ok = appendText(dst, x)
	case *ast.ParenExpr:
		dst, ok = literalBytes(dst, x.X)
	case *ast.CompositeLit:
		for _, e := range x.Elts {
			lit, isLit := e.(*ast.BasicLit)
			if !isLit {
				return nil, false
			}
			n, err := strconv.ParseUint(lit.Value, 0, 8)
			if err != nil {
				return nil, false
			}
			dst = append(dst, byte(n))
		}
	default:
		return nil, false
	}
	for i := len(right) - 1; i >= 0 && ok; i-- {
		lit, isLit := right[i].(*ast.BasicLit)
		if !isLit {
			return nil, false
		}
		dst, ok = appendText(dst, lit)
	}
	return dst, ok
}

func appendText(dst []byte, lit *ast.BasicLit) ([]byte, bool) {
	s, err := strconv.Unquote(lit.Value)
	return append(dst, s...), err == nil && lit.Kind == token.STRING
}

// cyclic finds out whether a message can contain itself. Types that protoc-gen-go makes refer to messages by pointers, slices and maps, and by interfaces for a oneof.
type cyclic struct{ seen, open map[*types.Named]bool }

// message reports whether t is, or leads to, a cycle.
func (c *cyclic) message(t *types.Named) bool {
	if c.open[t] {
		return true
	}
	st, ok := t.Underlying().(*types.Struct)
	if c.seen[t] || !ok || t.Obj().Pkg() == nil || ofRuntime(t.Obj().Pkg().Path()) {
		return false
	}
	c.seen[t], c.open[t] = true, true
	defer delete(c.open, t)
	for f := range st.Fields() {
		if c.value(f.Type()) {
			return true
		}
	}
	return false
}

func (c *cyclic) value(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if i, ok := t.Underlying().(*types.Interface); ok {
			return c.oneof(t, i)
		}
		return c.message(t)
	case *types.Pointer:
		return c.value(t.Elem())
	case *types.Slice:
		return c.value(t.Elem())
	case *types.Map:
		return c.value(t.Elem())
	}
	return false
}

// oneof looks at the types of the values of a oneof: the structs of its package that have its method.
func (c *cyclic) oneof(t *types.Named, i *types.Interface) bool {
	pkg := t.Obj().Pkg()
	if pkg == nil || i.NumMethods() == 0 {
		return false
	}
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if n, ok := obj.Type().(*types.Named); ok && n.TypeParams().Len() == 0 && types.Implements(types.NewPointer(n), i) && c.message(n) {
			return true
		}
	}
	return false
}

// ofRuntime reports whether a package is part of the runtime of Protobuf, other than messages that everybody knows.
func ofRuntime(path string) bool {
	return strings.HasPrefix(path, "google.golang.org/protobuf/") && !strings.HasPrefix(path, "google.golang.org/protobuf/types/known/") &&
		!strings.HasPrefix(path, "google.golang.org/protobuf/types/descriptorpb")
}
