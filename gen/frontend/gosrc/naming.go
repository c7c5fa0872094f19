package gosrc

import (
	"go/types"
	"strings"
)

// typeString prints a type as it would be written in the package, packages by their names.
func (b *builder) typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == b.u.pkg.PkgPath {
			return ""
		}
		return p.Name()
	})
}

// noteAlias remembers an alias under which a type can be named that cannot be named itself.
func (b *builder) noteAlias(a *types.Alias) {
	n, ok := types.Unalias(a).(*types.Named)
	if !ok || a.TypeArgs().Len() > 0 || n.TypeArgs().Len() > 0 || b.nameable(n.Obj()) || !b.nameable(a.Obj()) {
		return
	}
	if _, ok := b.aliases[n.Obj()]; !ok {
		b.aliases[n.Obj()] = a.Obj()
	}
}

// nameable reports whether the package can refer to a type by its name.
func (b *builder) nameable(obj *types.TypeName) bool {
	if obj.Pkg() == nil || obj.Pkg().Path() == b.u.pkg.PkgPath {
		return true
	}
	return obj.Exported() && obj.Parent() == obj.Pkg().Scope() && importable(obj.Pkg().Path(), b.u.importPath())
}

// importable applies the rule for internal packages (only code below the parent of "internal" may import them) and excludes
// what the standard library vendors.
func importable(path, from string) bool {
	if strings.HasPrefix(path, "vendor/") {
		return false
	}
	elems := strings.Split(path, "/")
	for i := len(elems) - 1; i >= 0; i-- {
		if elems[i] != "internal" {
			continue
		}
		parent := strings.Join(elems[:i], "/")
		return parent != "" && (from == parent || strings.HasPrefix(from, parent+"/"))
	}
	return true
}
