package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
)

// The exit codes.
const (
	exitOK      = 0
	exitDiffers = 1
	exitUsage   = 2
	exitInput   = 3
	exitFailed  = 4
)

// A verb is one subcommand.
type verb struct {
	name    string
	args    string // in the usage line
	summary string
	run     func(ctx context.Context, e *environment, args []string) int
}

// verbs lists the subcommands; the first is the default.
func verbs() []verb {
	return []verb{
		{"gen", "[flags] [packages]", "write the generated files (the default)", runGen},
		{"check", "[flags] [packages]", "say which generated files are not up to date", runCheck},
		{"diff", "[flags] [packages]", "print what gen would change", runDiff},
		{"show", "[flags] [packages]", "draw the bytes of each record, and say why", runShow},
		{"breaking", "[flags] [packages]", "list changes that keep data from being read", runBreaking},
		{"lock", "[flags] [packages]", "remember the schemas in rwgen.lock", runLock},
		{"init", "[flags]", "write a file to start from", runInit},
		{"version", "", "print the version", runVersion},
		{"help", "", "print this text", runHelp},
	}
}

// environment is what a verb sees of the process.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            []string
}

// getenv returns the value of a variable of the environment, "" if it is not set.
func (e *environment) getenv(name string) string {
	for _, kv := range slices.Backward(e.env) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value
		}
	}
	return ""
}

// run runs the command with the arguments after its name and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	e := &environment{stdin: stdin, stdout: stdout, stderr: stderr, env: env}
	all := verbs()
	if len(args) == 0 {
		return all[0].run(ctx, e, nil)
	}
	for _, v := range all {
		if args[0] == v.name {
			return v.run(ctx, e, args[1:])
		}
	}
	if name := misspelt(args[0], all); name != "" {
		return e.usage("unknown verb %q, did you mean %q?", args[0], name)
	}
	return all[0].run(ctx, e, args)
}

// misspelt returns the verb that a first argument was probably meant to be, "" if it is more likely a package or a flag.
func misspelt(arg string, all []verb) string {
	if strings.ContainsAny(arg, "./-") || len(arg) < 3 {
		return ""
	}
	if arg == "generate" {
		return all[0].name
	}
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = v.name
	}
	return diag.Nearest(arg, names)
}

// usage reports wrong usage.
func (e *environment) usage(format string, args ...any) int {
	fmt.Fprintf(e.stderr, "rwgen: %s\nrun \"rwgen help\" for usage\n", fmt.Sprintf(format, args...))
	return exitUsage
}

// failure reports an error of [gen.Generate] or of writing.
func (e *environment) failure(err error) int {
	if errors.Is(err, gen.ErrOptions) {
		return e.usage("%s", strings.TrimPrefix(err.Error(), gen.ErrOptions.Error()+": "))
	}
	fmt.Fprintf(e.stderr, "rwgen: %v\n", err)
	return exitFailed
}

// generate runs the generator. If it has a result without diagnostics, code is exitOK.
func (e *environment) generate(ctx context.Context, f *flags) (r *gen.Result, code int) {
	o := f.options(e, "gen")
	if p := newProgress(e.stderr); p != nil {
		o.Progress = p.report
		defer p.end()
	}
	return e.result(f)(gen.Generate(ctx, o))
}

// inspect finds the records, without generating. If it has a result without diagnostics, code is exitOK.
func (e *environment) inspect(ctx context.Context, verb string, f *flags) (r *gen.Result, code int) {
	return e.result(f)(gen.Inspect(ctx, f.options(e, verb)))
}

// result returns a function that reports what is wrong with a result.
func (e *environment) result(f *flags) func(*gen.Result, error) (*gen.Result, int) {
	return func(r *gen.Result, err error) (*gen.Result, int) {
		switch {
		case f.config != nil && len(f.config.Options.Schemas) > 0 && errors.Is(err, exec.ErrNotFound):
			return nil, e.failure(fmt.Errorf("%w: the packages under go: in %s need it; keep schemas in a file of their own to generate them without", err, diag.RelPath(f.dir, f.config.Path)))
		case err != nil:
			return nil, e.failure(err)
		case len(r.Diagnostics) > 0:
			return nil, e.findings(f, r.Diagnostics, exitInput)
		}
		return r, exitOK
	}
}

// findings reports diagnostics and returns the code, or that of a failure to report.
func (e *environment) findings(f *flags, diags diag.List, code int) int {
	if err := e.report(f, diags); err != nil {
		return exitFailed
	}
	return code
}

// command returns the command line that does what f says with another verb.
func (f *flags) command(name string) string {
	words := []string{"rwgen", name}
	if name == "gen" {
		words = words[:1]
	}
	for _, w := range slices.Concat(f.given, f.patterns) {
		words = append(words, quote(w))
	}
	return strings.Join(words, " ")
}

// quote writes a word as a shell reads it.
func quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$*?&|;<>()[]{}~#!`") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
