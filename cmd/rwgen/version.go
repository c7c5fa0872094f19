package main

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
)

// runVersion is the verb version.
func runVersion(_ context.Context, e *environment, args []string) int {
	if len(args) > 0 {
		return e.usage("version takes no arguments")
	}
	fmt.Fprintf(e.stdout, "rwgen %s built with %s\n", version(), runtime.Version())
	return exitOK
}

const development = "(devel)"

// version returns the release of this program, "(devel)" if it was not built from one. Generated files name it, so builds between
// two releases must not differ in it: otherwise each commit would make all generated files stale.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return development
	}
	return release(info.Main.Version)
}

var releaseForm = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)[0-9.]*)?$`)

// release returns v if it is the version of a release, not that of a commit or of a changed working copy.
func release(v string) string {
	if releaseForm.MatchString(v) && v != "v0.0.0" {
		return v
	}
	return development
}
