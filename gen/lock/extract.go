package lock

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/rwgen/rwgen/runtime/record"
)

// Extract returns the records of a generated file with the schemas in it, and what readers have besides, for the package pkg. A file that does not parse, or is no
// output of rwgen, has none.
func Extract(pkg string, src []byte) []Entry {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var entries []Entry
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "Schema" || fn.Recv == nil || len(fn.Recv.List) != 1 || fn.Body == nil {
			continue
		}
		id, ok := fn.Recv.List[0].Type.(*ast.Ident)
		if !ok {
			continue
		}
		name, ok := strings.CutSuffix(id.Name, "Serializer")
		text := constantOf(fn.Body, "Text")
		if !ok || name == "" || record.CheckSchema(text) != nil {
			continue
		}
		entries = append(entries, Entry{Package: pkg, Record: name, Schema: record.Schema{
			Text: text, Fingerprint: Fingerprint(text), Reading: constantOf(fn.Body, "Reading"),
		}})
	}
	return entries
}

// constantOf returns the constant value of the element of that name of the first composite literal that has one.
func constantOf(body *ast.BlockStmt, name string) string {
	text := ""
	ast.Inspect(body, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok || text != "" {
			return true
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == name {
			// Literals joined by plus signs, which is a constant that needs no package to be known.
			if v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(kv.Value)); err == nil && v.Value != nil && v.Value.Kind() == constant.String {
				text = constant.StringVal(v.Value)
			}
		}
		return true
	})
	return text
}
