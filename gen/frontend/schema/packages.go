package schema

import (
	"iter"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
)

// PackageOf returns the Go package for the types of a namespace, nil if the configuration has none: that of the namespace itself, or else that of the longest namespace around it that has
// [Package.Subspaces].
func (c *Config) PackageOf(namespace string) *Package {
	var best *Package
	for i := range c.Packages {
		p := &c.Packages[i]
		switch {
		case p.Namespace == namespace:
			return p
		case !p.Subspaces || p.Namespace != "" && !strings.HasPrefix(namespace, p.Namespace+"."):
		case best == nil || len(best.Namespace) < len(p.Namespace):
			best = p
		}
	}
	return best
}

// PackageHint says how a namespace gets a Go package.
func PackageHint(namespace string) string {
	if namespace == "" {
		return "a package for types without a namespace"
	}
	return "a package for the namespace " + namespace + ", or for a namespace around it with its subspaces"
}

// CheckPackages reports the packages for a namespace that no type of the schemas has, where another is like it that has no package of its own: with a typo its types would go elsewhere, or nowhere.
// What is like none is left alone, since it may be the namespace of files that are imported at other times. Namespaces are those of all types, also several times.
func (c *Config) CheckPackages(namespaces iter.Seq[string], diags *diag.List) {
	have := slices.Compact(slices.Sorted(namespaces))
	own := func(n string) bool {
		return slices.ContainsFunc(c.Packages, func(p Package) bool { return p.Namespace == n })
	}
	for _, p := range c.Packages {
		if p.Namespace == "" || slices.ContainsFunc(have, func(n string) bool { return n == p.Namespace || p.Subspaces && strings.HasPrefix(n, p.Namespace+".") }) {
			continue
		}
		candidates := slices.Clone(have)
		if p.Subspaces {
			candidates = around(have)
		}
		if near := diag.Nearest(p.Namespace, slices.DeleteFunc(candidates, own)); near != "" {
			diags.Addf(p.Pos, diag.Config, "no schema has the namespace %s", p.Namespace).Hint = near
		}
	}
}

// around returns namespaces and all that stand around them.
func around(namespaces []string) []string {
	var all []string
	for _, n := range namespaces {
		all = append(all, n)
		for i := strings.LastIndexByte(n, '.'); i >= 0; i = strings.LastIndexByte(n, '.') {
			n = n[:i]
			all = append(all, n)
		}
	}
	return all
}
