package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the files of archives that cmp compares with")

// asCommand makes the test binary behave as rwgen, so that scripts run the real command in processes of its own.
const asCommand = "RWGEN_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestScript runs the scripts in testdata/script. The comment of each archive is a script, its files are laid out in a fresh
// directory $WORK. Lines that start with # are comments; words may be quoted with '. The commands are:
//
//	rwgen ARGS        run the command; an exit code N other than 0 is expected by writing "N rwgen ARGS"
//	bare ARGS         run the command, likewise, with nothing in its environment: no PATH, no HOME
//	go ARGS           run the go command, likewise
//	git ARGS          run git, likewise, as a user who is in no configuration
//	stdin FILE        the next command reads the file
//	make ARGS, ninja ARGS  run these, likewise, and wait until what is written next has a later time; scripts whose first line is "# needs make" are left out where there is none
//	stdout REGEXP     the last command's output matches; "! stdout REGEXP" does not
//	stderr REGEXP     the same for standard error; "! stderr ." for nothing at all
//	cmp A B           the files are the same; A may be stdout or stderr, with $WORK in it written as such
//	grep REGEXP FILE  the file matches; "! grep" does not
//	exists FILE...    the files exist; "! exists" they do not
//	touched FILE...   the files have been written since the last mark; "! touched" they have not
//	mark              remember the state of all files
//	mode MODE FILE    the file has these permissions
//	cp A B, rm FILE..., mkdir DIR..., cd DIR, env K=V, symlink LINK TARGET
//	replace A B FILE  replace the first A in the file, which has one, by B; \n in B is the end of a line
//	crlf FILE...      give the files the line ends of Windows
//	module PATH       write go.mod and go.sum for a module that uses this repository
func TestScript(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range scripts {
		if tool := missing(t, path); tool != "" {
			t.Logf("%s needs %s, which is not there", path, tool)
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runScript(t, path)
		})
	}
}

// missing returns the tool that a script needs, if it is not there.
func missing(t *testing.T, path string) (tool string) {
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(string(content), "# needs ")
	if tool, _, _ = strings.Cut(rest, "\n"); !ok {
		return ""
	}
	if _, err := exec.LookPath(tool); err == nil {
		return ""
	}
	return tool
}

func runScript(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &script{
		self: self, work: work, dir: work, archive: a, marks: make(map[string]string),
		env: append(os.Environ(), asCommand+"=1", "WORK="+work, "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=", "GOOS=", "GOARCH=",
			"GITHUB_WORKSPACE=", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1"),
	}
	for _, f := range a.Files {
		name := filepath.Join(work, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	number := 0
	for line := range strings.Lines(string(a.Comment)) {
		number++
		words, err := s.words(line)
		if err == nil && len(words) > 0 {
			err = s.do(t.Context(), words)
		}
		if err != nil {
			t.Fatalf("%s:%d: %s: %v\nstdout:\n%s\nstderr:\n%s", path, number, strings.TrimSpace(line), err, s.stdout, s.stderr)
		}
	}
	if s.updated {
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

type script struct {
	self           string // this binary
	work, dir      string
	env            []string
	archive        *txtar.Archive
	updated        bool
	stdin          string // path, for the next command
	stdout, stderr string
	marks          map[string]string
}

// words splits a line into words and replaces $WORK and $SELF, the path of the command.
func (s *script) words(line string) ([]string, error) {
	var words []string
	for rest := strings.TrimSpace(line); rest != "" && rest[0] != '#'; rest = strings.TrimSpace(rest) {
		word, after, _ := strings.Cut(rest, " ")
		if rest[0] == '\'' {
			var ok bool
			if word, after, ok = strings.Cut(rest[1:], "'"); !ok {
				return nil, errors.New("no closing quote")
			}
		}
		words, rest = append(words, strings.NewReplacer("$WORK", s.work, "$SELF", s.self).Replace(word)), after
	}
	return words, nil
}

func (s *script) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

func (s *script) do(ctx context.Context, words []string) error {
	want, negated := 0, false
	if n, err := strconv.Atoi(words[0]); err == nil {
		want, words = n, words[1:]
	} else if words[0] == "!" {
		negated, words = true, words[1:]
	}
	command, args := words[0], words[1:]
	switch command {
	case "rwgen":
		return s.exec(ctx, want, s.self, args)
	case "bare":
		env := s.env
		s.env = []string{asCommand + "=1"}
		err := s.exec(ctx, want, s.self, args)
		s.env = env
		return err
	case "stdin":
		s.stdin = s.path(args[0])
		return nil
	case "make", "ninja":
		if err := s.exec(ctx, want, command, args); err != nil {
			return err
		}
		return s.tick()
	case "go":
		return s.exec(ctx, want, "go", args)
	case "git":
		return s.exec(ctx, want, "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...))
	case "stdout":
		return match(args[0], s.stdout, negated)
	case "stderr":
		return match(args[0], s.stderr, negated)
	case "grep":
		content, err := os.ReadFile(s.path(args[1]))
		if err != nil {
			return err
		}
		return match(args[0], string(content), negated)
	case "cmp":
		return s.compare(args[0], args[1])
	case "replace":
		return s.rewrite(args[2], func(content string) (string, error) {
			if !strings.Contains(content, args[0]) {
				return "", fmt.Errorf("there is no %q", args[0])
			}
			return strings.Replace(content, args[0], strings.ReplaceAll(args[1], `\n`, "\n"), 1), nil
		})
	case "exists", "touched", "rm", "mkdir", "crlf":
		for _, name := range args {
			if err := s.each(command, name, negated); err != nil {
				return err
			}
		}
		return nil
	case "mark":
		return filepath.WalkDir(s.work, func(path string, _ os.DirEntry, err error) error {
			s.marks[path] = state(path)
			return err
		})
	case "cp":
		content, err := os.ReadFile(s.path(args[0]))
		if err != nil {
			return err
		}
		return os.WriteFile(s.path(args[1]), content, 0o644)
	case "cd":
		s.dir = s.path(args[0])
		return nil
	case "env":
		s.env = append(s.env, args...)
		return nil
	case "mode":
		info, err := os.Stat(s.path(args[1]))
		if err == nil && fmt.Sprintf("%04o", info.Mode().Perm()) != args[0] {
			err = fmt.Errorf("the mode is %04o", info.Mode().Perm())
		}
		return err
	case "symlink":
		return os.Symlink(s.path(args[1]), s.path(args[0]))
	case "module":
		return s.module(args[0])
	}
	return fmt.Errorf("unknown command %q", command)
}

// tick waits until a file that is written has a later time than one that was written before. The clock of file systems stands still for milliseconds, and make and ninja go by it.
func (s *script) tick() error {
	f, err := os.CreateTemp("", "tick") // where work is
	if err != nil {
		return err
	}
	defer func() { _ = errors.Join(f.Close(), os.Remove(f.Name())) }()
	var first time.Time
	for {
		if _, err := f.WriteString("."); err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if first.IsZero() {
			first = info.ModTime()
		}
		if info.ModTime().After(first) {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
}

// rewrite changes the content of a file.
func (s *script) rewrite(name string, change func(content string) (string, error)) error {
	content, err := os.ReadFile(s.path(name))
	if err != nil {
		return err
	}
	changed, err := change(string(content))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(s.path(name), []byte(changed), 0o644)
}

// each does what exists, touched, rm, mkdir and crlf do with one file.
func (s *script) each(command, name string, negated bool) error {
	path := s.path(name)
	switch command {
	case "exists":
		if _, err := os.Lstat(path); (err == nil) == negated {
			return fmt.Errorf("%s: %v", name, err)
		}
		return nil
	case "touched":
		if (state(path) != s.marks[path]) == negated {
			return fmt.Errorf("%s: %q at the mark, now %q", name, s.marks[path], state(path))
		}
		return nil
	case "rm":
		return os.RemoveAll(path)
	case "crlf":
		return s.rewrite(name, func(content string) (string, error) {
			return strings.ReplaceAll(strings.ReplaceAll(content, "\r\n", "\n"), "\n", "\r\n"), nil
		})
	}
	return os.MkdirAll(path, 0o755)
}

// state tells one version of a file from another, also if the content is the same: output is renamed into place, so a new
// version is another file.
func state(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return "absent"
	}
	return fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size(), " ", info.Mode())
}

func (s *script) exec(ctx context.Context, want int, name string, args []string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = s.dir, append(s.env, "PWD="+s.dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if s.stdin != "" {
		f, err := os.Open(s.stdin)
		if err != nil {
			return err
		}
		defer f.Close()
		cmd.Stdin, s.stdin = f, ""
	}
	err := cmd.Run()
	s.stdout, s.stderr = stdout.String(), stderr.String()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		return fmt.Errorf("exit code %d, want %d", got, want)
	}
	return nil
}

func match(pattern, text string, negated bool) error {
	re, err := regexp.Compile("(?m)" + pattern)
	if err != nil {
		return err
	}
	if re.MatchString(text) == negated {
		return fmt.Errorf("matches: %t, in:\n%s", !negated, text)
	}
	return nil
}

func (s *script) compare(a, b string) error {
	var got string
	switch a {
	case "stdout":
		got = strings.ReplaceAll(s.stdout, s.work, "$WORK")
	case "stderr":
		got = strings.ReplaceAll(s.stderr, s.work, "$WORK")
	default:
		content, err := os.ReadFile(s.path(a))
		if err != nil {
			return err
		}
		got = string(content)
	}
	want, err := os.ReadFile(s.path(b))
	if err != nil {
		return err
	}
	if *update {
		for i, f := range s.archive.Files {
			if filepath.Join(s.work, filepath.FromSlash(f.Name)) == s.path(b) && string(f.Data) != got {
				s.archive.Files[i].Data, s.updated = []byte(got), true
				return os.WriteFile(s.path(b), []byte(got), 0o644)
			}
		}
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		return fmt.Errorf("(-want +got):\n%s", diff)
	}
	return nil
}

// module writes a go.mod with the requirements of this repository and the repository itself, replaced by its directory. With
// the same requirements nothing needs to be looked up that building this test has not looked up.
func (s *script) module(path string) error {
	root, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	content, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	mod := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllLiteralString(string(content), "module "+path)
	mod += fmt.Sprintf("\nrequire github.com/rwgen/rwgen v0.0.0\n\nreplace github.com/rwgen/rwgen => %s\n", root)
	if err := os.WriteFile(s.path("go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(s.path("go.sum"), sum, 0o644)
}
