package random_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/internal/random"
	"github.com/rwgen/rwgen/gen/internal/trial"
)

// BenchmarkLarge measures what a package with 200 records costs:
//
//	go test ./gen/internal/random -run '^$' -bench Large -benchtime 5x
//
// Sources and Output are go build of the package after a change, without generated code and with it. List is go list -deps -export of what was built, which is the
// least that a loader of packages can take; after a change it takes as long as Output. Generate is the generator with its output up to date.
func BenchmarkLarge(b *testing.B) {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	host, err := trial.Enclosing(b.Context(), ".")
	if err != nil {
		b.Fatal(err)
	}
	if err := host.WriteModule(b.Context(), dir, "example.com/large"); err != nil {
		b.Fatal(err)
	}
	sources := random.Large(200)
	write := func(b *testing.B, name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	goCommand := func(b *testing.B, args ...string) {
		cmd := exec.CommandContext(b.Context(), "go", args...)
		cmd.Dir, cmd.Env = dir, trial.Environ()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	touched := 0
	touch := func(b *testing.B) { // with other contents, for times do not matter to the go command
		touched++
		write(b, "touched.go", fmt.Sprintf("package large\n\n// Version %d.%d.\n", os.Getpid(), touched))
	}
	for name, content := range sources {
		write(b, name, content)
	}
	b.Run("Sources", func(b *testing.B) {
		for b.Loop() {
			touch(b)
			goCommand(b, "build", ".")
		}
	})
	lines, err := generate(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Output", func(b *testing.B) {
		for b.Loop() {
			touch(b)
			goCommand(b, "build", ".")
		}
		b.ReportMetric(float64(lines), "lines")
	})
	goCommand(b, "build", ".")
	b.Run("List", func(b *testing.B) {
		for b.Loop() {
			goCommand(b, "list", "-deps", "-export", ".")
		}
	})
	b.Run("Generate", func(b *testing.B) {
		for b.Loop() {
			if _, err := generate(b.Context(), dir); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// generate brings the output up to date and returns how many lines it has.
func generate(ctx context.Context, dir string) (lines int, err error) {
	result, err := gen.Generate(ctx, gen.Options{Dir: dir, Env: trial.Environ()})
	if err != nil {
		return 0, err
	}
	if err := result.Diagnostics.Err(); err != nil {
		return 0, err
	}
	for _, f := range result.Files {
		for _, c := range f.Content {
			if c == '\n' {
				lines++
			}
		}
	}
	_, err = result.Write()
	return lines, err
}
