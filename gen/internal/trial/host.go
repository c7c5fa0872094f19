package trial

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Host is the module that a test belongs to, with what other modules need in order to import its packages and those that it
// requires. It does not change and may be shared.
type Host struct {
	Path, Dir string // module path and absolute directory
	goVersion string
	requires  []requirement
	replaces  []string // directives
	sums      []byte   // go.sum
}

type requirement struct{ path, version string }

// module is what go list -m -json says about a main module.
type module struct{ Path, Dir, GoMod, GoVersion string }

// Enclosing returns the module of dir. In a workspace, its other modules can be imported as well if they are required.
func Enclosing(ctx context.Context, dir string) (*Host, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	out, err := goOutput(ctx, dir, nil, "list", "-m", "-json")
	if err != nil {
		return nil, err
	}
	var own module
	var others []module
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var m module
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list -m: %w", err)
		}
		rel, err := filepath.Rel(m.Dir, dir)
		if err == nil && filepath.IsLocal(rel) && len(m.Dir) > len(own.Dir) {
			m, own = own, m
		}
		if m.GoMod != "" {
			others = append(others, m)
		}
	}
	if own.GoMod == "" {
		return nil, fmt.Errorf("%s is not in a module", dir)
	}
	h := &Host{Path: own.Path, Dir: own.Dir, goVersion: cmp.Or(own.GoVersion, "1.25")}
	for _, m := range others {
		h.replaces = append(h.replaces, replacement(m.Path, m.Dir))
	}
	if err := h.readGoMod(ctx, own.GoMod); err != nil {
		return nil, err
	}
	h.sums, err = os.ReadFile(strings.TrimSuffix(own.GoMod, ".mod") + ".sum")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return h, nil
}

// goMod is what go mod edit -json says.
type goMod struct {
	Require []struct{ Path, Version string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
	Exclude []struct{ Path, Version string }
}

// readGoMod takes over the requirements of the module itself, and a requirement of it.
func (h *Host) readGoMod(ctx context.Context, file string) error {
	out, err := goOutput(ctx, h.Dir, nil, "mod", "edit", "-json", file)
	if err != nil {
		return err
	}
	var mod goMod
	if err := json.Unmarshal(out, &mod); err != nil {
		return fmt.Errorf("go mod edit -json: %w", err)
	}
	h.requires = append(h.requires, requirement{h.Path, placeholder(h.Path)})
	for _, r := range mod.Require {
		h.requires = append(h.requires, requirement{r.Path, r.Version})
	}
	h.replaces = append(h.replaces, replacement(h.Path, h.Dir))
	for _, r := range mod.Replace {
		to := r.New.Path
		if r.New.Version == "" && !filepath.IsAbs(to) {
			to = filepath.Join(h.Dir, filepath.FromSlash(to))
		}
		h.replaces = append(h.replaces, strings.TrimSpace(replacement(strings.TrimSpace(r.Old.Path+" "+r.Old.Version), to)+" "+r.New.Version))
	}
	for _, e := range mod.Exclude {
		h.replaces = append(h.replaces, "exclude "+e.Path+" "+e.Version)
	}
	return nil
}

func replacement(old, to string) string {
	if strings.ContainsAny(to, " \t\"'`") {
		to = fmt.Sprintf("%q", to)
	}
	return "replace " + old + " => " + to
}

var majorSuffix = regexp.MustCompile(`[/.]v([0-9]+)$`)

// placeholder returns a version for a module that a directory stands for.
func placeholder(path string) string {
	major := "0"
	if m := majorSuffix.FindStringSubmatch(path); m != nil {
		major = m[1]
	}
	return "v" + major + ".0.0"
}

// WriteModule makes dir a module with the given path that can import the packages of the host and of the modules that it requires. If dir
// has a go.mod already, what it lacks is added to that.
func (h *Host) WriteModule(ctx context.Context, dir, path string) error {
	file := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(file)
	var mod goMod
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		text = fmt.Appendf(nil, "module %s\n\ngo %s\n", path, h.goVersion)
	case err != nil:
		return err
	default:
		out, err := goOutput(ctx, dir, []string{"GOWORK=off"}, "mod", "edit", "-json")
		if err != nil {
			return err
		}
		if err := json.Unmarshal(out, &mod); err != nil {
			return fmt.Errorf("go mod edit -json: %w", err)
		}
	}
	for _, r := range h.requires {
		if !slices.ContainsFunc(mod.Require, func(own struct{ Path, Version string }) bool { return own.Path == r.path }) {
			text = fmt.Appendf(text, "require %s %s\n", r.path, r.version)
		}
	}
	for _, r := range h.replaces {
		if !slices.ContainsFunc(mod.Replace, func(own struct {
			Old, New struct{ Path, Version string }
		}) bool {
			return strings.HasPrefix(r, "replace "+own.Old.Path+" ")
		}) {
			text = append(text, r+"\n"...)
		}
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), append(sums, h.sums...), 0o666)
}

// Environ returns the environment in which the go command works on such modules: offline, for this machine, whatever else is set. Extra variables
// come last.
func Environ(extra ...string) []string {
	return append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GO111MODULE=on", "GOOS=", "GOARCH="), extra...)
}

// goOutput runs the go command and returns its standard output.
func goOutput(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, nil
}
