package lint

import (
	"fmt"
	"strconv"
	"strings"
)

// levels orders the packages of the runtime: a package imports only packages of lower levels. Packages of one level do not know
// each other.
var levels = map[string]int{
	"runtime/wire":                       0,
	"runtime/eventtime":                  0,
	"runtime/metrics":                    0,
	"runtime/rwimpl":                     0,
	"runtime/selector":                   1,
	"runtime/record":                     1,
	"runtime/values":                     1,
	"runtime/avro":                       2,
	"runtime/memory":                     2,
	"runtime/buffer":                     3,
	"runtime/partition":                  4,
	"runtime/writer":                     5,
	"runtime/gate":                       5,
	"runtime/transport":                  7,
	"runtime/exchange":                   8,
	"runtime/tape":                       9,
	"runtime/task":                       9,
	"runtime/rwtest":                     10,
	"runtime/transport/internal/credit":  5,
	"runtime/transport/internal/message": 6,
}

// only lists, for packages whose imports are few by design, which packages of ours they may import at all. The packages under
// gen/frontend are listed together, as gen/frontend.
var only = map[string][]string{
	"runtime/wire":      {},
	"runtime/eventtime": {},
	"runtime/metrics":   {},
	"runtime/rwimpl":    {},
	"runtime/selector":  {"runtime/wire"},
	"runtime/record":    {"runtime/wire"},
	"runtime/avro":      {"runtime/record", "runtime/wire"},
	"gen/diag":          {},
	"gen/names":         {},
	"gen/ir":            {},
	"gen/frontend":      {"gen/diag", "gen/frontend/schema", "gen/frontend/spec", "gen/ir", "gen/names", "runtime/record"},
	"gen/emit":          {"gen/diag", "gen/ir", "gen/names", "runtime/avro", "runtime/record", "runtime/rwimpl", "runtime/selector"},
}

// Imports checks the import declarations of all files for the direction of dependencies. Tests may import what they like, but for two
// rules that hold for them too: nothing under runtime knows the generator, and only generated code imports rwimpl,
// apart from the tests of rwimpl itself, the emitter that writes the import, and the command that pins its module.
func Imports(t *Tree) []Finding {
	var findings []Finding
	for _, f := range t.Files {
		for _, spec := range f.Syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				findings = append(findings, f.at(spec, "import path %s is not a Go string", spec.Path.Value))
				continue
			}
			to, ours := strings.CutPrefix(imported, Module+"/")
			if !ours {
				continue
			}
			if reason := forbidden(f, to); reason != "" {
				findings = append(findings, f.at(spec, "imports %s: %s", to, reason))
			}
		}
	}
	return findings
}

// forbidden returns why the file must not import a package of ours, empty if it may.
func forbidden(f *File, to string) string {
	from := f.Dir()
	switch {
	case under(from, "runtime") && (under(to, "gen") || under(to, "cmd")):
		return "the runtime does not know the generator"
	case to == "runtime/rwimpl" && !isGenerated(f.Content) && from != "gen/emit" && from != "cmd/rwgen" && from != to:
		return "rwimpl is for generated code only"
	case f.IsTest() || from == to:
		return ""
	case to == "runtime/rwtest":
		return "rwtest is for tests only"
	case under(to, "gen/frontend") && !under(from, "gen/frontend") && from != "gen" && !under(from, "cmd") && !(from == "gen/config" && to == "gen/frontend/schema"):
		return "frontends are imported by gen and the command only"
	case under(from, "gen/frontend") && under(to, "gen/frontend") && from != to && to != "gen/frontend/schema" && to != "gen/frontend/spec": // what frontends share
		return "frontends do not know each other"
	}
	if allowed, ok := only[group(from)]; ok {
		for _, a := range allowed {
			if a == to {
				return ""
			}
		}
		return fmt.Sprintf("of our packages %s may import only %q", group(from), allowed)
	}
	if under(from, "runtime") {
		own, ok := levels[from]
		if !ok {
			return fmt.Sprintf("%s has no level yet; give it one in cmd/rwgen/internal/lint", from)
		}
		other, ok := levels[to]
		if !ok {
			return fmt.Sprintf("%s has no level yet; give it one in cmd/rwgen/internal/lint", to)
		}
		if other >= own {
			return fmt.Sprintf("its level %d is not below level %d of %s", other, own, from)
		}
	}
	return ""
}

// under says whether dir is root or below it.
func under(dir, root string) bool {
	return dir == root || strings.HasPrefix(dir, root+"/")
}

// group is the name under which the table of allowed imports lists a package.
func group(dir string) string {
	if under(dir, "gen/frontend") {
		return "gen/frontend"
	}
	return dir
}
