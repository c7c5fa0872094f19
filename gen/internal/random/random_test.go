package random_test

import (
	"fmt"
	"go/format"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/internal/random"
	"github.com/rwgen/rwgen/gen/internal/trial"
)

const (
	module   = "example.com/random"
	seedFile = "testdata/seeds"
	few      = 6  // packages of an ordinary run
	together = 25 // packages that are compiled at once
)

// TestRandom generates code for packages of random types, and compiles, vets and runs it.
func TestRandom(t *testing.T) {
	kept := keptSeeds(t)
	fresh, count := uint64(1), few
	if setting := os.Getenv("RWGEN_RANDOM"); setting != "" {
		fresh, count = parseSetting(t, setting)
	}
	seeds := kept
	for i := range uint64(count) {
		seeds = append(seeds, fresh+i)
	}
	t.Logf("%d seeds from %s and %d from %d on", len(kept), seedFile, count, fresh)
	host, err := trial.Enclosing(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	for batch := range slices.Chunk(seeds, together) {
		if failed := try(t, host, batch); len(failed) > 0 && os.Getenv("RWGEN_RANDOM") != "" {
			keep(t, kept, failed)
		}
	}
}

// parseSetting reads COUNT or COUNT@SEED.
func parseSetting(t *testing.T, setting string) (first uint64, count int) {
	number, at, ok := strings.Cut(setting, "@")
	count, err := strconv.Atoi(number)
	first = rand.Uint64() >> 16
	if ok && err == nil {
		first, err = strconv.ParseUint(at, 10, 64)
	}
	if err != nil {
		t.Fatalf("RWGEN_RANDOM=%s: %v", setting, err)
	}
	return first, count
}

// keptSeeds returns the seeds that have failed before.
func keptSeeds(t *testing.T) []uint64 {
	content, err := os.ReadFile(seedFile)
	if err != nil {
		t.Fatal(err)
	}
	var seeds []uint64
	for line := range strings.Lines(string(content)) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" || word[0] == '#' {
			continue
		}
		seed, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, seed)
	}
	return seeds
}

// keep adds seeds to those that have failed.
func keep(t *testing.T, kept, failed []uint64) {
	f, err := os.OpenFile(seedFile, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, seed := range failed {
		if !slices.Contains(kept, seed) {
			if _, err := fmt.Fprintln(f, seed); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// try runs the generator and the tests for some seeds, and returns those that failed.
func try(t *testing.T, host *trial.Host, seeds []uint64) (failed []uint64) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := host.WriteModule(t.Context(), dir, module); err != nil {
		t.Fatal(err)
	}
	for _, seed := range seeds {
		write(t, dir, seed)
	}
	fail := func(seed uint64, what string) {
		if !slices.Contains(failed, seed) {
			failed = append(failed, seed)
		}
		t.Errorf("seed %d: %s", seed, strings.ReplaceAll(what, dir, "$DIR"))
	}
	remove := func() {
		for _, seed := range failed {
			if err := os.RemoveAll(filepath.Join(dir, packageName(seed))); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 { // the second time without the packages about which there are diagnostics
		result, err := gen.Generate(t.Context(), gen.Options{Dir: dir, Env: trial.Environ(), Patterns: []string{"./..."}})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range result.Diagnostics {
			fail(seedOf(t, seeds, d.Pos.Filename), d.Format(dir))
		}
		remove()
		if _, err := result.Write(); err != nil {
			t.Fatal(err)
		}
		if len(result.Diagnostics) == 0 {
			break
		}
	}
	if len(failed) == len(seeds) {
		return failed
	}
	for range 2 { // the second time without the packages that do not compile
		if err := trial.Checks(dir, module); err != nil {
			t.Fatal(err)
		}
		failures, err := trial.Test(t.Context(), dir, trial.Environ())
		if err != nil {
			t.Fatal(err)
		}
		unbuilt := false
		for _, f := range failures {
			fail(seedOf(t, seeds, f.Package), f.Record+"\n"+f.Output)
			unbuilt = unbuilt || f.Build
		}
		remove()
		if !unbuilt || len(failed) == len(seeds) {
			break
		}
	}
	return failed
}

func packageName(seed uint64) string { return fmt.Sprintf("s%d", seed) }

// seedOf returns the seed whose package a path leads to.
func seedOf(t *testing.T, seeds []uint64, path string) uint64 {
	for _, seed := range seeds {
		if strings.Contains(filepath.ToSlash(path)+"/", "/"+packageName(seed)+"/") {
			return seed
		}
	}
	t.Fatalf("%q belongs to no seed", path)
	return 0
}

// write writes the sources of one seed.
func write(t *testing.T, dir string, seed uint64) {
	pkg := packageName(seed)
	for name, content := range random.Sources(seed, module+"/"+pkg) {
		src, err := format.Source([]byte(content))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, content)
		}
		file := filepath.Join(dir, pkg, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, src, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// The same seed gives the same types, another one others.
func TestSources(t *testing.T) {
	one, again, two := random.Sources(1, "p"), random.Sources(1, "p"), random.Sources(2, "p")
	if !maps.Equal(one, again) {
		t.Error("seed 1 gives different packages")
	}
	if maps.Equal(one, two) {
		t.Error("seeds 1 and 2 give the same package")
	}
}
