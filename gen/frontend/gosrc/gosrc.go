package gosrc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/spec"
	"github.com/rwgen/rwgen/gen/ir"
)

// ErrConfig is wrapped by errors about a [Config] that no input could make right.
var ErrConfig = errors.New("bad configuration")

// Config says what to load. The zero value loads the package in the current directory.
type Config struct {
	// Dir is the directory that patterns are relative to; default the current one.
	Dir string
	// Env is the environment of the go command; nil stands for that of the process.
	Env []string
	// Patterns are package patterns as the go command takes them; default ".".
	Patterns []string
	// Tags is a comma-separated list of build tags.
	Tags string
	// Types names types that are records without a directive. A generic type is named with type arguments, which are Go expressions in the
	// scope of the file that declares it: "Pair[string,int]".
	Types []string
	// Writers are further writers, in the form "Flight.ByOrigin key=Origin". An instance of a generic type goes by the name of its record:
	// "PairStringInt.All broadcast".
	Writers []string
	// With names what is to be generated for all records, besides what their directives ask for: the names of [ir.Withs].
	With []string
	// Format is that of the records that Types name and that have no directive: "native", which is the default, "protobuf" or "binary".
	Format string
	// Output is the absolute path of the single output file, "" for one per source. Only the header tells whether what is there
	// is earlier output.
	Output string
	// Overlay replaces the content of files by their absolute paths, for example by that of an editor's buffers.
	Overlay map[string][]byte
}

// Input is what the sources ask for.
type Input struct {
	// Packages are the packages that declare records, sorted by import path.
	Packages []*ir.Package
	// Unsound are packages that declare records but have findings. Their types may be incomplete, so they must not be emitted.
	Unsound []*ir.Package
	// Existing are the earlier outputs in all directories that the patterns match.
	Existing []Existing
	// Dirs are the absolute directories that the patterns match, sorted.
	Dirs []string
	// Files are the absolute paths of the sources that were read and belong to the user's modules, and of the go.mod of these. Earlier output is not among them.
	Files []string
}

// Existing is a file that an earlier run has written.
type Existing struct {
	Path string // absolute
	// Source is the base name of the source that the name of the file points to, "" if the name is a free one, or a template has made the file.
	Source string
	// Template is the base name of the template that has made the file, empty for other output.
	Template string
	// Gone says that a template has made the file of sources of which none is there any more.
	Gone bool
	// Unloaded says that the source is there but not part of this build, so that nothing can be said about its records.
	Unloaded bool
	// Schema says that the file was made from a schema, so that runs over that own it. Load does not set it.
	Schema bool
}

// Load reads the packages that the configuration names and returns the records in them. What is wrong with the input is returned
// as diagnostics, sorted. The error is for a configuration that is wrong (it wraps [ErrConfig]), for failures to read directories
// or to run the go command, and for the end of ctx.
//
// Load does not run code of the packages it loads, and it does not write.
func Load(ctx context.Context, cfg Config) (*Input, diag.List, error) {
	if err := cfg.complete(); err != nil {
		return nil, nil, err
	}
	selected := make(map[string][]string)
	for _, t := range cfg.Types {
		if err := CheckType(t); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrConfig, err)
		}
		name := baseName(t)
		selected[name] = append(selected[name], t)
	}
	writers := make(map[string][]spec.Writer)
	for _, text := range cfg.Writers {
		record, w, err := parseWriterFlag(text)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: writer %q: %w", ErrConfig, text, err)
		}
		writers[record] = append(writers[record], w)
	}
	with, err := parseWith(cfg.With)
	if err != nil {
		return nil, nil, err
	}
	var diags diag.List
	l := &loader{cfg: cfg, diags: &diags, overlay: make(map[string][]byte), dirs: make(map[string]*directory)}
	for path, src := range cfg.Overlay {
		l.overlay[path] = src
	}
	if err := l.load(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if _, err := exec.LookPath("go"); err != nil {
			return nil, nil, fmt.Errorf("running the go command: %w", err)
		}
		l.reportLoad(err)
		return &Input{}, diags, nil
	}
	in := &Input{}
	units := l.units()
	for _, u := range units {
		findings := len(diags)
		pkg := u.collect(selected, writers, with)
		u.reportSyntax()
		switch {
		case pkg == nil:
		case !u.editable[u.pkg.PkgPath]:
			diags.Addf(token.Position{}, diag.Load,
				"%s has records, but it is not part of your modules, so no file can be written there", pkg.Path)
		case len(diags) > findings:
			in.Unsound = append(in.Unsound, pkg)
		default:
			in.Packages = append(in.Packages, pkg)
		}
	}
	l.reportMissing(units, selected, writers)
	l.reportToolchain()
	l.existing(in)
	l.files(in)
	diags.Sort()
	return in, diags, nil
}

// complete fills in defaults.
func (c *Config) complete() error {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	c.Dir = dir
	if c.Env == nil {
		c.Env = os.Environ()
	}
	if len(c.Patterns) == 0 {
		c.Patterns = []string{"."}
	}
	for _, p := range c.Patterns {
		if strings.HasSuffix(p, ".go") {
			return fmt.Errorf("%w: %s is a file, but packages are wanted: name its directory, and types with -type", ErrConfig, p)
		}
	}
	if c.Format != "" {
		if _, problem, hint := formatName(c.Format); problem != "" {
			return fmt.Errorf("%w: %s, try %s", ErrConfig, problem, hint)
		}
	}
	return nil
}

// baseName returns the name of a type without type arguments.
func baseName(t string) string {
	name, _, _ := strings.Cut(t, "[")
	return name
}

// reportMissing reports types and records named by flags that are nowhere.
func (l *loader) reportMissing(units []*unit, selected map[string][]string, writers map[string][]spec.Writer) {
	var types, records []string
	for _, u := range units {
		records = append(records, u.records...)
		for _, d := range u.order {
			types = append(types, d.spec.Name.Name)
			if d.record || len(selected[d.spec.Name.Name]) > 0 {
				records = append(records, d.spec.Name.Name)
			}
		}
	}
	where := strings.Join(l.cfg.Patterns, " ")
	for name := range selected {
		if slices.Contains(types, name) {
			continue
		}
		d := l.diags.Addf(token.Position{}, diag.Record, "-type %s: no such type in %s", name, where)
		if d.Hint = l.platformHint(); d.Hint == "" {
			d.Hint = diag.Nearest(name, types)
		}
	}
	for name, specs := range writers {
		if slices.Contains(records, name) {
			continue
		}
		for _, w := range specs {
			d := l.diags.Addf(token.Position{}, diag.Writer, "-writer %q: no record %s in %s", w.Flag, name, where)
			switch near := diag.Nearest(name, records); {
			case slices.Contains(types, name):
				d.Hint = "-type " + name
			case near != "":
				d.Hint = near + "." + w.Name
			}
		}
	}
}

// files lists the sources that have been read.
func (l *loader) files(in *Input) {
	add := func(path string) {
		if src, ok := l.overlay[path]; !ok || !bytes.Equal(src, hidden) {
			in.Files = append(in.Files, path)
		}
	}
	for p := range packages.Postorder(l.roots) {
		if !l.editable[p.PkgPath] {
			continue
		}
		if p.Module != nil && p.Module.GoMod != "" {
			in.Files = append(in.Files, p.Module.GoMod)
		}
		for _, list := range [][]string{p.GoFiles, p.OtherFiles, p.EmbedFiles} {
			for _, f := range list {
				add(f)
			}
		}
	}
	slices.Sort(in.Files)
	in.Files = slices.Compact(in.Files)
}

// CheckType returns an error that says what is wrong with a name for [Config].Types, if anything is.
func CheckType(t string) error {
	name := baseName(t)
	if _, err := parser.ParseExpr(t); err != nil || !token.IsIdentifier(name) || t != name && !strings.HasSuffix(t, "]") {
		return fmt.Errorf("%q is no type name", t)
	}
	return nil
}

// CheckWriter returns an error that says what is wrong with the form of one of [Config].Writers, if anything is.
func CheckWriter(text string) error {
	_, _, err := parseWriterFlag(text)
	return err
}
