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
	"github.com/rwgen/rwgen/gen/config"
	"github.com/rwgen/rwgen/gen/lock"
)

// flags are the flags of a verb, parsed.
type flags struct {
	dir        string // absolute
	patterns   []string
	types      []string
	writers    []string
	with       []string
	templates  []string
	tags       string
	output     string
	header     string // content
	headerFile string // absolute path, "" for none
	own        bool   // the command line says what the run is about
	dryRun     bool
	verbose    bool
	clean      bool
	format     format
	against    string
	mode       lock.Mode
	given      []string // the flags that determine the output, as on the command line

	schemas     schemaFlags
	toStdout    bool // -o -
	depfile     string
	deptarget   string
	lock        string // absolute path, "" for the default
	configFlag  string
	config      *config.Config // nil if the run is not about one
	startAsYAML bool           // init -config
	stdin       []byte
}

// accepted says which flags a verb takes, apart from -C.
func accepted(verb string) []string {
	finding := append([]string{"type", "tags", "error-format", "config"}, schemaFlagNames()...)
	generating := append(slices.Clone(finding), "writer", "with", "template", "o", "header")
	switch verb {
	case "gen":
		return append(generating, "n", "v", "clean", "depfile", "deptarget")
	case "check":
		return append(generating, "v", "lock")
	case "diff":
		return append(generating, "clean")
	case "show":
		return append(finding, "writer")
	case "breaking":
		return append(finding, "writer", "against", "mode", "lock")
	case "lock":
		return append(finding, "writer", "n", "v", "lock")
	case "init":
		return []string{"type", "o", "config"}
	}
	return nil
}

// parse parses the arguments of the verb name. If it returns no flags, the verb ends with the code.
func (e *environment) parse(name string, args []string) (f *flags, code int) {
	f = &flags{}
	var dir, headerFile, lockFile string
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
			set.Func(n, "", func(s string) error { f.templates = append(f.templates, s); return nil })
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
	define["depfile"] = func(n string) { set.StringVar(&f.depfile, n, "", "") }
	define["deptarget"] = func(n string) { set.StringVar(&f.deptarget, n, "", "") }
	define["lock"] = func(n string) { set.StringVar(&lockFile, n, "", "") }
	define["config"] = func(n string) { set.StringVar(&f.configFlag, n, "", "") }
	if name == "init" {
		define["config"] = func(n string) { set.BoolVar(&f.startAsYAML, n, false, "") }
	}
	for _, n := range accepted(name) {
		if d, ok := define[n]; ok {
			d(n)
		} else {
			set.Func(n, "", func(value string) error { return f.addSchemaFlag(n, value) })
		}
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
	f.remember(name, set)
	var err error
	if f.dir, err = filepath.Abs(dir); err != nil {
		return nil, e.failure(err)
	}
	if info, err := os.Stat(f.dir); err != nil || !info.IsDir() {
		return nil, e.usage("-C %s: no such directory", dir)
	}
	if name == "init" {
		return f, exitOK
	}
	if f.output == "-" {
		if name != "gen" {
			return nil, e.usage("-o - is for gen")
		}
		f.output, f.toStdout = "", true
	}
	if f.deptarget != "" && f.depfile == "" {
		return nil, e.usage("-deptarget is about -depfile")
	}
	if f.depfile != "" && (f.toStdout || f.dryRun) {
		return nil, e.usage("-depfile is about files that are written")
	}
	if code := e.findConfig(name, f); code != exitOK {
		return nil, code
	}
	if headerFile != "" {
		headerFile = f.path(headerFile)
		content, err := os.ReadFile(headerFile)
		if err != nil {
			return nil, e.failure(err)
		}
		f.header = string(content)
		f.headerFile = headerFile
	}
	if lockFile != "" {
		f.lock = f.path(lockFile)
	}
	if slices.Contains(f.schemas.files, "-") {
		if f.stdin, err = io.ReadAll(e.stdin); err != nil {
			return nil, e.failure(fmt.Errorf("reading standard input: %w", err))
		}
	}
	if problem := f.splitWriters(); problem != "" {
		return nil, e.usage("%s", problem)
	}
	return f, exitOK
}

// path returns the absolute path of a file that a flag names.
func (f *flags) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(f.dir, name)
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
func (f *flags) remember(verb string, set *flag.FlagSet) {
	set.Visit(func(fl *flag.Flag) {
		switch fl.Name {
		case "v", "n", "clean", "error-format", "against", "mode", "depfile", "deptarget":
		case "type":
			if f.given = append(f.given, "-type", strings.Join(f.types, ",")); verb == "show" {
				return
			}
			f.own = true
		case "writer":
			for _, w := range f.writers {
				f.given = append(f.given, "-writer", w)
			}
			f.own = true
		case "with":
			f.given = append(f.given, "-with", strings.Join(f.with, ","))
			f.own = true
		case "template":
			for _, t := range f.templates {
				f.given = append(f.given, "-template", t)
			}
			f.own = true
		case "config", "lock":
			f.given = append(f.given, "-"+fl.Name, fl.Value.String())
		case "o":
			if f.output != "-" {
				f.given = append(f.given, "-o", f.output)
				f.own = true
			}
		case "C":
			f.given = append(f.given, "-C", fl.Value.String())
		case "tags", "header":
			f.given = append(f.given, "-"+fl.Name, fl.Value.String())
			f.own = true
		default:
			f.own = true // one about schemas, which has been kept in its place
		}
	})
	f.own = f.own || len(f.patterns) > 0
}

// options returns what the command line and the configuration ask for.
func (f *flags) options(e *environment, verb string) gen.Options {
	var o gen.Options
	if f.config != nil {
		o = f.config.Options
		o.Clean = o.Clean || f.clean
	} else {
		o = gen.Options{
			Dir: f.dir, Patterns: f.patterns, Tags: f.tags, Types: f.types, Writers: f.writers, With: f.with, Templates: f.templates,
			Output: f.output, Header: f.header, Clean: f.clean, Stdin: f.stdin, StdinName: f.schemas.stdinName,
		}
		if len(f.schemas.files) > 0 {
			o.Schemas = []gen.Schemas{f.schemas.group()}
			if verb == "show" && len(o.Patterns) == 0 {
				o.Types = nil // show is about these
			}
		} else {
			o.Format = f.schemas.format
		}
	}
	o.Env, o.Version = e.env, version()
	return o
}
