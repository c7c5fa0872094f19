package main

import (
	"os"
	"path/filepath"

	"github.com/rwgen/rwgen/gen/config"
)

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
