package trial

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Failure is what went wrong with one package.
type Failure struct {
	Package string // import path
	Record  string // the record whose test failed; empty if the package does not compile, vet finds something, or all of it failed
	Build   bool   // the package was not built, and what imports it was not tested
	Output  string
}

// event is one line of the output of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output, FailedBuild string
}

// Test compiles, vets and tests all packages of the module in dir with one call of the go command, and returns what failed, sorted. An error says that the
// command itself did not work. The environment is that of [Environ]; flags are further ones of go test.
func Test(ctx context.Context, dir string, env []string, flags ...string) ([]Failure, error) {
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"test", "-json", "-vet=all"}, flags...), "./...")...)
	cmd.Dir, cmd.Env = dir, env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	failures := parse(stdout.Bytes())
	if err != nil && len(failures) == 0 {
		return nil, fmt.Errorf("go test: %w\n%s%s", err, stdout.Bytes(), stderr.Bytes())
	}
	return failures, nil
}

// parse finds the failures in the output of go test -json.
func parse(out []byte) []Failure {
	type key struct{ pkg, test string }
	output := make(map[key]string)
	failed := make(map[string]bool) // packages of which a record is known that failed
	var failures []Failure
	for line := range bytes.Lines(out) {
		var e event
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		k := key{cmp.Or(e.Package, e.ImportPath), e.Test}
		switch e.Action {
		case "output", "build-output":
			output[k] += e.Output
		case "build-fail":
			pkg, _, _ := strings.Cut(k.pkg, " ")
			failures = append(failures, Failure{Package: strings.TrimSuffix(pkg, "_test"), Build: true, Output: output[k]})
		case "fail":
			_, record, isRecord := strings.Cut(e.Test, testName+"/")
			switch {
			case isRecord:
				f := Failure{Package: k.pkg, Output: output[k]}
				if i := strings.LastIndexByte(record, '.'); i > 0 {
					f.Package, f.Record = record[:i], record[i+1:]
				}
				failed[k.pkg] = true
				failures = append(failures, f)
			case e.Test == "" && e.FailedBuild == "" && !failed[k.pkg]:
				failures = append(failures, Failure{Package: k.pkg, Output: output[k]})
			case e.Test != "" && e.Test != testName:
				failed[k.pkg] = true
				failures = append(failures, Failure{Package: k.pkg, Record: e.Test, Output: output[k]})
			}
		}
	}
	slices.SortStableFunc(failures, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Record, b.Record))
	})
	return slices.CompactFunc(failures, func(a, b Failure) bool { return a == b })
}
