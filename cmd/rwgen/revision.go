package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/gosrc"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/lock"
)

// revision returns the schemas of a module at a git revision: those of its lock then, or else those in the generated files that were
// committed. Nothing is checked out.
func (m *module) revision(ctx context.Context, env []string, rev string) ([]lock.Entry, diag.List, error) {
	git := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir, cmd.Env = m.root, env
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) && stderr.Len() > 0 {
			return out, fmt.Errorf("git: %s: %w", strings.Join(strings.Fields(stderr.String()), " "), err)
		}
		return out, err
	}
	name, err := git("rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 {
			return nil, nil, fmt.Errorf("-against %s: there is no such revision", rev)
		}
		return nil, nil, fmt.Errorf("-against %s: %w", rev, err)
	}
	commit := strings.TrimSpace(string(name))
	// Relative names are those of the directory that git runs in.
	locked, err := filepath.Rel(m.root, m.lockPath)
	if err != nil {
		return nil, nil, err
	}
	locked = filepath.ToSlash(locked)
	listed, err := git("ls-tree", "-z", "--name-only", commit, locked)
	if err != nil {
		return nil, nil, err
	}
	if len(listed) > 0 {
		src, err := git("show", commit+":./"+locked)
		if err != nil {
			return nil, nil, err
		}
		file, faults := lock.Parse(rev+":"+locked, src)
		if file == nil {
			return nil, faults, nil
		}
		for i := range file.Entries {
			file.Entries[i].Pos = token.Position{}
		}
		return file.Entries, nil, nil
	}
	files, err := git("grep", "-l", "-z", "-F", "-e", ir.Header, commit, "--", "*.go")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, nil, nil // none
	}
	if err != nil {
		return nil, nil, err
	}
	var entries []lock.Entry
	for _, file := range strings.Split(strings.TrimSuffix(string(files), "\x00"), "\x00") {
		file = strings.TrimPrefix(file, commit+":")
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := git("show", commit+":./"+file)
		if err != nil {
			return nil, nil, err
		}
		if gosrc.IsOwn(src) {
			entries = append(entries, lock.Extract(path.Dir(file), src)...)
		}
	}
	return entries, nil, nil
}
