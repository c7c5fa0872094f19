package schema

import (
	"strings"
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
