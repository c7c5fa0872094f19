package lint

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// allowedModules are the modules that a user's go.mod may name after the sixty-second start, rwgen itself included. Every
// one of them is something that users have to vet and update, so a new entry needs a reason.
var allowedModules = []string{
	Module,
	"github.com/bufbuild/protocompile", // the generator reads Protobuf schemas with it
	"github.com/dave/jennifer",         // the generator writes code with it
	"github.com/klauspost/cpuid/v2",    // of xxh3
	"golang.org/x/sys",                 // of cpuid
	"github.com/twmb/avro",             // what the generator makes of an Avro schema is what this one reads
	"github.com/zeebo/xxh3",            // key hashes
	"go.yaml.in/yaml/v4",               // the generator reads rwgen.yaml with it
	"golang.org/x/mod",                 // of x/tools
	"golang.org/x/sync",                // of x/tools
	"golang.org/x/tools",               // the generator loads packages with it
	"google.golang.org/protobuf",       // of protocompile
}

// TestUserModule goes through the sixty-second start of README.md in a new module outside of the repository: it requires the checkout,
// adds the tool, writes down the files that README.md shows, tidies, generates and runs. It bounds what that adds to the
// module's go.mod.
func TestUserModule(t *testing.T) {
	files, prints := start(readme(t))
	if len(files) < 2 || prints == "" {
		t.Fatalf("README.md shows %d files and the output %q, want a record, a program and what it prints", len(files), prints)
	}
	_, run := userModule(t, files)
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Tool []struct{ Path string }
	}
	if err := json.Unmarshal([]byte(run("mod", "edit", "-json")), &mod); err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Require {
		if !slices.Contains(allowedModules, r.Path) {
			t.Errorf("go.mod of a user names %s, which is not in the list of allowed modules", r.Path)
		}
		if want := r.Path != Module; r.Indirect != want {
			t.Errorf("requirement of %s: indirect = %v, want %v", r.Path, r.Indirect, want)
		}
	}
	if len(mod.Tool) != 1 || mod.Tool[0].Path != Module+"/cmd/rwgen" {
		t.Errorf("tools = %v, want the generator alone", mod.Tool)
	}

	run("generate")
	run("vet")
	if got := run("run", "."); got != prints {
		t.Errorf("program prints %q, README.md says %q", got, prints)
	}
	run("tool", "rwgen", "check", "./...")
}

// readme returns README.md.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// userModule makes a module outside of the repository that has these files, and the tool, and returns what runs the go command there.
func userModule(t *testing.T, files map[string]string) (dir string, run func(args ...string) string) {
	t.Helper()
	root := root(t)
	// Fills the module cache on a machine that has only just cloned; everything after it is offline. go mod download without arguments
	// would leave out what only tests of dependencies import, which go mod tidy looks at too.
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := goCommand(t, root, []string{"GOWORK=off"}, append([]string{"mod", "download"}, modulesIn(string(sums))...)...); err != nil {
		t.Fatalf("go mod download: %v\n%s", err, out)
	}
	dir = t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// The checksums are known here, and with them the new module needs no checksum database.
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666); err != nil {
		t.Fatal(err)
	}
	run = func(args ...string) string {
		t.Helper()
		env := []string{"GOWORK=off", "GOPROXY=off", "GOSUMDB=off", "GOFLAGS=-mod=mod"}
		out, err := goCommand(t, dir, env, args...)
		if err != nil {
			t.Fatalf("go %q: %v\n%s", args, err, out)
		}
		return out
	}
	run("mod", "init", "example.com/user")
	run("mod", "edit", "-require="+Module+"@v0.0.0", "-replace="+Module+"="+root, "-tool="+Module+"/cmd/rwgen")
	run("mod", "tidy")
	return dir, run
}

// TestUserProcesses runs the program for several processes that README.md shows, as it says, in both orders: in the module of the sixty-second start, whose generated files are there already.
func TestUserProcesses(t *testing.T) {
	text := readme(t)
	files, _ := start(text)
	m := readmeProcesses.FindStringSubmatch(text)
	if m == nil || !strings.Contains(m[1], listens) {
		t.Fatalf("README.md has no program for two processes that listens on %s", listens)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	dir, run := userModule(t, files)
	run("generate")
	program := func(substitutes ...string) {
		t.Helper()
		text := m[1]
		for i := 0; i < len(substitutes); i += 2 {
			if strings.Count(text, substitutes[i]) == 0 {
				t.Fatalf("the program for two processes has no %s", substitutes[i])
			}
			text = strings.ReplaceAll(text, substitutes[i], substitutes[i+1])
		}
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// The deadline after a failure is none for what goes well: the other process comes later than that.
	program(listens, address, "10*time.Second", "time.Millisecond")
	run("vet")
	run("tool", "rwgen", "check", "./...")
	run("build", "-o", "flights")
	for _, order := range [][]string{{"reader", address}, {address, "reader"}} {
		var read strings.Builder
		var processes []*exec.Cmd
		for _, self := range order {
			p := exec.CommandContext(t.Context(), filepath.Join(dir, "flights"), self)
			var said strings.Builder
			p.Stderr = &said
			if self == "reader" {
				p.Stdout = &read
			}
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			processes = append(processes, p)
			time.Sleep(50 * time.Millisecond) // nothing depends on it
		}
		for _, p := range processes {
			if err := p.Wait(); err != nil {
				t.Errorf("%s: %v, %s", p.Args[1], err, p.Stderr)
			}
		}
		if got, want := read.String(), "ATL 0\nORD 1\nDFW 2\n"; got != want {
			t.Errorf("started as %q: read %q, want %q", order, got, want)
		}
	}
	if runtime.GOOS == "windows" { // which has no interrupts for one process
		return
	}
	// A reader with a backlog for minutes is interrupted at once.
	const prints = "fmt.Println(f.Origin, f.Delay)"
	program(listens, address, prints, prints+"; time.Sleep(100*time.Millisecond)", `[]string{"ATL", "ORD", "DFW"}`, "make([]string, 10_000)")
	run("build", "-o", "flights")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	writer, reader := exec.CommandContext(ctx, filepath.Join(dir, "flights"), address), exec.CommandContext(ctx, filepath.Join(dir, "flights"), "reader")
	var said strings.Builder
	reader.Stderr = &said
	lines, err := reader.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*exec.Cmd{writer, reader} {
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Wait(); err != nil { // the reader has it all in memory
		t.Errorf("writer: %v", err)
	}
	if _, err := bufio.NewReader(lines).ReadString('\n'); err != nil {
		t.Error(err)
	}
	if err := reader.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := reader.Wait(); err == nil || ctx.Err() != nil || !strings.Contains(said.String(), "interrupt") || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("reader: %v, %s", err, said.String())
	}
	// One whose writer has never come is over at the deadline after the failure, of the exchange and the node together, and does not go on until it gives up the writer.
	program(listens, address, "10*time.Second", "100*time.Millisecond")
	run("build", "-o", "flights")
	alone := exec.CommandContext(ctx, filepath.Join(dir, "flights"), "reader")
	said.Reset()
	alone.Stderr = &said
	if err := alone.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond) // it looks for the writer
	interrupted := time.Now()
	if err := alone.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := alone.Wait(); err == nil || !strings.Contains(said.String(), "interrupt") || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("reader without a writer: %v, %s", err, said.String())
	}
	if d := time.Since(interrupted); d > 10*time.Second {
		t.Errorf("a reader without a writer has ended %v after it was interrupted", d)
	}
}

// listens is the address in README.md.
const listens = "127.0.0.1:7001"

// modulesIn returns the modules whose contents a go.sum vouches for, as path@version.
func modulesIn(sums string) []string {
	var modules []string
	for line := range strings.Lines(sums) {
		if f := strings.Fields(line); len(f) == 3 && !strings.HasSuffix(f[1], "/go.mod") {
			modules = append(modules, f[0]+"@"+f[1])
		}
	}
	return modules
}

var (
	// readmeFile matches a Go file with its name in front.
	readmeFile = regexp.MustCompile("(?s)\n`([a-z]+\\.go)`:\n\n```go\n(.*?)```\n")
	// readmeProcesses matches the program for several processes.
	readmeProcesses = regexp.MustCompile("(?s)`main.go` for two processes:\n\n```go\n(.*?)```\n")
	// readmePrints matches what the program prints.
	readmePrints = regexp.MustCompile("\nprints `([^`]+)`")
)

// start returns the files of the sixty-second start by name, and the output of the program.
func start(readme string) (files map[string]string, prints string) {
	files = map[string]string{}
	for _, m := range readmeFile.FindAllStringSubmatch(readme, -1) {
		files[m[1]] = m[2]
	}
	if m := readmePrints.FindStringSubmatch(readme); m != nil {
		prints = m[1]
	}
	return files, prints
}
