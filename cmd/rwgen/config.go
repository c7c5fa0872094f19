package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rwgen/rwgen/gen/config"
	"github.com/rwgen/rwgen/gen/diag"
)

// noteConfig says that a configuration has no part in a run over packages, where that is easy to overlook: what it says about schemas is neither checked nor remembered.
func (e *environment) noteConfig(verb string, f *flags) {
	if len(f.patterns) == 0 || verb != "check" && verb != "lock" && verb != "breaking" {
		return
	}
	if path, err := config.Find(f.dir); err == nil && path != "" {
		fmt.Fprintf(e.stderr, "rwgen: %s has no part in this run, because packages are named: rwgen %s without them is about it\n", diag.RelPath(f.dir, path), verb)
	}
}

// findConfig finds out whether the run is about a configuration, and reads it. The command line and a configuration are two ways to say what a run is about, which are never mixed.
func (e *environment) findConfig(verb string, f *flags) int {
	path := ""
	switch {
	case f.configFlag == "none":
		return exitOK
	case f.configFlag != "":
		if f.own {
			return e.usage("-config says what the run is about: %s goes without packages and without flags that say the same", verb)
		}
		path = f.path(f.configFlag)
	case f.own:
		e.noteConfig(verb, f)
		return exitOK
	case e.getenv("GOFILE") != "" && e.getenv("GOPACKAGE") != "":
		// Lines for go generate are about the directory that they stand in.
		path = filepath.Join(f.dir, config.Name)
		if _, err := os.Stat(path); err != nil {
			return exitOK
		}
	default:
		var err error
		if path, err = config.Find(f.dir); err != nil {
			return e.usage("%v", err)
		}
		if path == "" {
			return exitOK
		}
	}
	c, diags, err := config.Read(path)
	switch {
	case os.IsNotExist(err):
		return e.usage("-config %s: no such file", f.configFlag)
	case err != nil:
		return e.failure(err)
	case len(diags) > 0:
		return e.findings(f, diags, exitInput)
	}
	f.config, f.lock = c, c.Lock
	f.clean = f.clean || c.Options.Clean
	return exitOK
}
