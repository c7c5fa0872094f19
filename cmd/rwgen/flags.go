package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rwgen/rwgen/gen"
)

// flags are the flags that gen and check share, parsed.
type flags struct {
	dir      string // absolute
	patterns []string
	types    []string
	writers  []string
	tags     string
	output   string
	header   string // content
	dryRun   bool
	verbose  bool
	given    []string // the flags that determine the output, as on the command line
}

// parse parses the arguments of the verb name. If it returns no flags, the verb ends with the code.
func (e *environment) parse(name string, args []string) (f *flags, code int) {
	f = &flags{}
	var dir, headerFile string
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&dir, "C", "", "")
	set.Func("type", "", func(s string) error {
		for t := range strings.SplitSeq(s, ",") {
			if t = strings.TrimSpace(t); t != "" {
				f.types = append(f.types, t)
			}
		}
		return nil
	})
	set.Func("writer", "", func(s string) error { f.writers = append(f.writers, s); return nil })
	set.StringVar(&f.tags, "tags", "", "")
	set.StringVar(&f.output, "o", "", "")
	set.StringVar(&headerFile, "header", "", "")
	set.BoolVar(&f.verbose, "v", false, "")
	if name == "gen" {
		set.BoolVar(&f.dryRun, "n", false, "")
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

// remember keeps the flags that determine the output, for messages that name a command.
func (f *flags) remember(set *flag.FlagSet) {
	set.Visit(func(fl *flag.Flag) {
		switch fl.Name {
		case "v", "n":
		case "type":
			f.given = append(f.given, "-type", strings.Join(f.types, ","))
		case "writer":
			for _, w := range f.writers {
				f.given = append(f.given, "-writer", w)
			}
		default:
			f.given = append(f.given, "-"+fl.Name, fl.Value.String())
		}
	})
}

func (f *flags) options(env []string) gen.Options {
	return gen.Options{
		Dir: f.dir, Env: env, Patterns: f.patterns, Tags: f.tags, Types: f.types, Writers: f.writers,
		Output: f.output, Header: f.header, Version: version(),
	}
}
