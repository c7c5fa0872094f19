package lint

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// root is the directory of the root module.
func root(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// modules are the patterns for all packages of the workspace, as seen from the root.
var modules = []string{"./...", "./examples/benchmarks/...", "./examples/serializers/..."}

// TestRepository applies every rule to the working tree.
func TestRepository(t *testing.T) {
	tree, err := ReadTree(root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []struct {
		name  string
		apply func(*Tree) []Finding
	}{
		{"imports", Imports},
		{"package docs", PackageDocs},
		{"gofmt", Formatted},
		{"no init", NoInit},
		{"finished", Finished},
		{"generated files", GeneratedFiles},
		{"portable", Portable},
	} {
		t.Run(rule.name, func(t *testing.T) {
			for _, f := range rule.apply(tree) {
				t.Error(f)
			}
		})
	}
	t.Run("vet", func(t *testing.T) {
		if out, err := goCommand(t, tree.Root, nil, append([]string{"vet"}, modules...)...); err != nil {
			t.Errorf("go vet: %v\n%s", err, out)
		}
	})
	t.Run("vettool", func(t *testing.T) {
		if out, err := goCommand(t, tree.Root, nil, append([]string{"vet", "-vettool=" + vettool(t)}, modules...)...); err != nil {
			t.Errorf("go vet with our own tool: %v\n%s", err, out)
		}
	})
}

// vettool builds the command of that name and returns its path.
func vettool(t *testing.T) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "vettool")
	if out, err := goCommand(t, ".", nil, "build", "-o", tool, "./vettool"); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return tool
}

// goCommand runs the go command in dir with extra environment and returns what it printed.
func goCommand(t *testing.T, dir string, env []string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}
