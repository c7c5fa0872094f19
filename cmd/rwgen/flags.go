package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/lock"
)

// flags are the flags of a verb, parsed.
type flags struct {
	dir      string // absolute
	patterns []string
	types    []string
	writers  []string
	with     []string
	template []string
	tags     string
	output   string
	header   string // content
	dryRun   bool
	verbose  bool
	clean    bool
	format   format
	against  string
	mode     lock.Mode
	given    []string // the flags that determine the output, as on the command line
}

// accepted says which flags a verb takes, apart from -C.
func accepted(verb string) []string {
	generating := []string{"type", "writer", "with", "template", "tags", "o", "header", "error-format"}
	switch verb {
	case "gen":
		return append(generating, "n", "v", "clean")
	case "check":
		return append(generating, "v")
	case "diff":
		return append(generating, "clean")
	case "show":
		return []string{"type", "writer", "tags", "error-format"}
	case "breaking":
		return []string{"type", "tags", "error-format", "against", "mode"}
	case "lock":
		return []string{"type", "tags", "error-format", "n", "v"}
	case "init":
		return []string{"type", "o"}
	}
	return nil
}

// parse parses the arguments of the verb name. If it returns no flags, the verb ends with the code.
func (e *environment) parse(name string, args []string) (f *flags, code int) {
	f = &flags{}
	var dir, headerFile string
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&dir, "C", "", "")
	define := map[string]func(name string){
		"type":   func(n string) { set.Func(n, "", f.addTypes) },
		"writer": func(n string) { set.Func(n, "", func(s string) error { f.writers = append(f.writers, s); return nil }) },
		"with": func(n string) {
			set.Func(n, "", func(s string) error { f.with = append(f.with, strings.Split(s, ",")...); return nil })
		},
		"template": func(n string) {
			set.Func(n, "", func(s string) error { f.template = append(f.template, s); return nil })
		},
		"tags":   func(n string) { set.StringVar(&f.tags, n, "", "") },
		"o":      func(n string) { set.StringVar(&f.output, n, "", "") },
		"header": func(n string) { set.StringVar(&headerFile, n, "", "") },
		"v":      func(n string) { set.BoolVar(&f.verbose, n, false, "") },
		"n":      func(n string) { set.BoolVar(&f.dryRun, n, false, "") },
		"clean":  func(n string) { set.BoolVar(&f.clean, n, false, "") },
		"error-format": func(n string) {
			set.Func(n, "", func(s string) error { return oneOf(s, formats(), &f.format) })
		},
		"against": func(n string) { set.StringVar(&f.against, n, "lock", "") },
		"mode": func(n string) {
			set.Func(n, "", func(s string) error {
				return oneOf(s, map[string]lock.Mode{"backward": lock.Backward, "forward": lock.Forward, "both": lock.Both}, &f.mode)
			})
		},
	}
	for _, n := range accepted(name) {
		define[n](n)
	}
	switch err := set.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil, e.help()
	case err != nil:
		return nil, e.usage("%v", err)
	}
	f.patterns = set.Args()
	for _, p := range f.patterns {
		if strings.HasPrefix(p, "-") {
			return nil, e.usage("flag %s must stand before the packages", p)
		}
	}
	f.remember(set)
	var err error
	if f.dir, err = filepath.Abs(dir); err != nil {
		return nil, e.failure(err)
	}
	if info, err := os.Stat(f.dir); err != nil || !info.IsDir() {
		return nil, e.usage("-C %s: no such directory", dir)
	}
	if headerFile != "" {
		if !filepath.IsAbs(headerFile) {
			headerFile = filepath.Join(f.dir, headerFile)
		}
		content, err := os.ReadFile(headerFile)
		if err != nil {
			return nil, e.failure(err)
		}
		f.header = string(content)
	}
	return f, exitOK
}

// oneOf sets value to what s stands for.
func oneOf[V any](s string, known map[string]V, value *V) error {
	v, ok := known[s]
	if !ok {
		names := make([]string, 0, len(known))
		for name := range known {
			names = append(names, name)
		}
		slices.Sort(names)
		return fmt.Errorf("want one of %s", strings.Join(names, ", "))
	}
	*value = v
	return nil
}

// addTypes adds the types of one flag -type. Commas within brackets belong to an instance of a generic type.
func (f *flags) addTypes(list string) error {
	depth, start := 0, 0
	for i, c := range list + "," {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && (depth == 0 || i == len(list)):
			if t := strings.TrimSpace(list[start:i]); t != "" {
				f.types = append(f.types, t)
			}
			start = i + 1
		}
	}
	return nil
}

// remember keeps the flags that determine the output, for messages that name a command.
func (f *flags) remember(set *flag.FlagSet) {
	set.Visit(func(fl *flag.Flag) {
		switch fl.Name {
		case "v", "n", "clean", "error-format", "against", "mode":
		case "type":
			f.given = append(f.given, "-type", strings.Join(f.types, ","))
		case "writer":
			for _, w := range f.writers {
				f.given = append(f.given, "-writer", w)
			}
		case "with":
			f.given = append(f.given, "-with", strings.Join(f.with, ","))
		case "template":
			for _, t := range f.template {
				f.given = append(f.given, "-template", t)
			}
		default:
			f.given = append(f.given, "-"+fl.Name, fl.Value.String())
		}
	})
}

func (f *flags) options(env []string) gen.Options {
	return gen.Options{
		Dir: f.dir, Env: env, Patterns: f.patterns, Tags: f.tags, Types: f.types, Writers: f.writers, With: f.with,
		Templates: f.template, Output: f.output, Header: f.header, Version: version(), Clean: f.clean,
	}
}
