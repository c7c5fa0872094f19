package lint

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	// homePath matches absolute paths below home directories.
	homePath = regexp.MustCompile("(^|[\\s\"'`=(:])/(root|home/[a-z]|Users/[A-Za-z])[^\\s\"'`)]*")
	// nobody is the home directory of examples.
	nobody = regexp.MustCompile(`/(home|Users)/user(/|$)`)
	// registryHost matches addresses of module and package registries, which differ between machines.
	registryHost = regexp.MustCompile(`https?://(proxy|registry|repo[0-9]?|deb)\.[a-z]+`)
	// outside matches a path out of the repository into what lay beside it where it was written.
	outside = regexp.MustCompile(`\.\./shared\b`)
)

// Portable checks that no text names a path of the machine it was written on or the host of a registry.
func Portable(t *Tree) []Finding {
	rules := []struct {
		what    string
		pattern *regexp.Regexp
	}{
		{"a path of one machine", homePath},
		{"the host of a registry", registryHost},
		{"a path outside of the repository", outside},
	}
	if here := checkoutPath(t.Root); here != nil {
		rules = append(rules, struct {
			what    string
			pattern *regexp.Regexp
		}{"the path of this checkout", here})
	}
	var findings []Finding
	for _, text := range t.Texts {
		number := 0
		for line := range strings.Lines(string(text.Content)) {
			number++
			for _, r := range rules {
				if m := r.pattern.FindString(line); m != "" && !nobody.MatchString(m) {
					findings = append(findings, Finding{Path: text.Path, Line: number, Message: fmt.Sprintf("names %s: %s", r.what, strings.TrimSpace(m))})
				}
			}
		}
	}
	return findings
}

// checkoutPath matches the root's own absolute path and its siblings; nil where that would be too short to mean anything.
func checkoutPath(root string) *regexp.Regexp {
	parent := filepath.ToSlash(filepath.Dir(root))
	if strings.Count(parent, "/") < 1 || len(parent) < 3 || parent == "/tmp" {
		parent = filepath.ToSlash(root)
	}
	if len(parent) < 3 {
		return nil
	}
	return regexp.MustCompile("(^|[\\s\"'`=(:])" + regexp.QuoteMeta(strings.TrimSuffix(parent, "/")) + "/[^\\s\"'`)]*")
}
