package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

const lastLine = "total flights=20000 origins=220 delay=154078 distance=14476934"

// try runs the program and returns what it printed.
func try(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func lines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// TestFlights checks the totals for all kinds of wiring, and that the last line is exactly what other programs parse.
func TestFlights(t *testing.T) {
	for _, args := range [][]string{
		nil,
		{"-producers", "1", "-consumers", "1"},
		{"-producers", "3", "-consumers", "7"},
		{"-producers", "1", "-consumers", "300"},
		{"-memory", "40KiB"},
		{"-memory", "8388608"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			code, out, errs := try(t, "", args...)
			if code != 0 || errs != "" {
				t.Fatalf("exit code %d, stderr %q", code, errs)
			}
			l := lines(out)
			if l[len(l)-1] != lastLine {
				t.Errorf("last line %q, want %q", l[len(l)-1], lastLine)
			}
			if len(l) != 13 || !regexp.MustCompile(`^ +DFW +1103 +9\.5 min +\d+ *$`).MatchString(l[1]) {
				t.Errorf("unexpected table:\n%s", out)
			}
		})
	}
}

// TestRepeat checks that the input is fed as often as asked for, and that the rate is printed before the totals.
func TestRepeat(t *testing.T) {
	code, out, errs := try(t, "", "-repeat", "3")
	if code != 0 {
		t.Fatalf("exit code %d, stderr %q", code, errs)
	}
	l := lines(out)
	if !regexp.MustCompile(`^60000 records in [0-9.]+s: \d+ records/s$`).MatchString(l[len(l)-2]) {
		t.Errorf("rate: %q", l[len(l)-2])
	}
	if want := "total flights=60000 origins=220 delay=462234 distance=43430802"; l[len(l)-1] != want {
		t.Errorf("got %q, want %q", l[len(l)-1], want)
	}
}

const small = header + "\n2001/01/31 23:59,-5,100,AAA,BBB\n\n2001/02/01 00:00,15,250,\"AAA\",CCC\r\n"

// TestInput checks every way to name the input, plain and compressed, with and without a last line end.
func TestInput(t *testing.T) {
	const want = "total flights=2 origins=1 delay=10 distance=350"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, small); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	plain, compressed := filepath.Join(dir, "some.csv"), filepath.Join(dir, "some.csv.gz")
	for file, data := range map[string]string{plain: strings.TrimSuffix(small, "\n"), compressed: packed.String()} {
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ in, stdin string }{
		{plain, ""}, {compressed, ""}, {"-", small}, {"-", packed.String()}, {"-", "\ufeff" + small},
	} {
		code, out, errs := try(t, tt.stdin, "-in", tt.in)
		if l := lines(out); code != 0 || l[len(l)-1] != want {
			t.Errorf("-in %s: exit code %d, stderr %q, stdout\n%s", tt.in, code, errs, out)
		}
	}
}

// TestMalformed checks that a malformed row is reported with file, line and reason, that nothing is summed up then, and that -skip-bad counts and skips.
func TestMalformed(t *testing.T) {
	good := strings.Repeat("2001/01/31 23:59,-5,100,AAA,BBB\n", 5000) // several chunks
	for _, tt := range []struct{ name, row, want string }{
		{"columns", "2001/01/31 23:59,-5,100,AAA", "4 columns, want 5"},
		{"date", "2001/02/30 23:59,-5,100,AAA,BBB", `date "2001/02/30 23:59" is not like 2006/01/02 15:04`},
		{"delay", "2001/01/31 23:59,late,100,AAA,BBB", `delay "late" is not a whole number of 32 bits`},
		{"distance", "2001/01/31 23:59,1,99999999999,AAA,BBB", `distance "99999999999" is not a whole number of 32 bits`},
		{"negative", "2001/01/31 23:59,1,-1,AAA,BBB", "distance -1 is negative"},
		{"origin", "2001/01/31 23:59,1,1,,BBB", "origin is empty"},
		{"quote", `2001/01/31 23:59,1,1,"AAA,BBB`, `extraneous or missing " in quoted-field`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := header + "\n" + good + tt.row + "\n" + good + "bad again\n"
			code, out, errs := try(t, in, "-in", "-")
			if want := "flights: stdin:5002: " + tt.want + "\n"; code != 1 || out != "" || errs != want {
				t.Errorf("exit code %d, stdout %q, stderr %q, want %q", code, out, errs, want)
			}
			code, out, errs = try(t, in, "-in", "-", "-skip-bad")
			l := lines(out)
			if code != 0 || l[len(l)-1] != "total flights=10000 origins=1 delay=-50000 distance=1000000" || l[len(l)-2] != "skipped 2 malformed rows" {
				t.Errorf("-skip-bad: exit code %d, stderr %q, stdout\n%s", code, errs, out)
			}
		})
	}
}

// TestFirstMalformed checks that it is the first malformed row that is reported when later chunks are full of them, whatever the goroutines do.
func TestFirstMalformed(t *testing.T) {
	in := header + "\n" + strings.Repeat("2001/01/31 23:59,-5,100,AAA,BBB\n", 1000) + strings.Repeat("bad\n", 20000)
	for i := range 30 {
		code, out, errs := try(t, in, "-in", "-", "-producers", strconv.Itoa(1+i%4))
		if want := "flights: stdin:1002: 1 columns, want 5\n"; code != 1 || out != "" || errs != want {
			t.Fatalf("run %d: exit code %d, stdout %q, stderr %q, want %q", i, code, out, errs, want)
		}
	}
}

// TestCutOff checks that compressed data that end too early are no complete input, wherever they end.
func TestCutOff(t *testing.T) {
	whole, err := os.ReadFile("data/flights-20k.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{len(whole) - 1, len(whole) - 9, len(whole) / 2, 50} {
		code, out, errs := try(t, string(whole[:n]), "-in", "-", "-skip-bad")
		if code != 1 || out != "" || !strings.Contains(errs, "cut off") {
			t.Errorf("%d of %d bytes: exit code %d, stdout %q, stderr %q", n, len(whole), code, out, errs)
		}
	}
}

// TestErrors checks that every other failure has a message and an exit code, and no total line.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		args []string
		in   string
		code int
		want string
	}{
		{[]string{"-in", "no/such/file"}, "", 1, "no/such/file"},
		{[]string{"-in", "-"}, "a,b,c\n1,2,3\n", 1, `stdin:1: the header is "a,b,c", want "` + header + `"`},
		{[]string{"-in", "-"}, "", 1, "stdin:1: the header is"},
		{[]string{"-in", "-"}, header + "\n" + strings.Repeat("x", 200<<10), 1, "stdin:2: "},
		{[]string{"-in", "-"}, "\x1f\x8bnot gzip", 1, "stdin: "},
		{[]string{"-in", "-", "-repeat", "2"}, small, 2, "-repeat needs a file"},
		{[]string{"-memory", "1KiB"}, "", 1, "insufficient memory"},
		{[]string{"-memory", "lots"}, "", 2, "8MiB"},
		{[]string{"-consumers", "0"}, "", 2, "at least 1"},
		{[]string{"file.csv"}, "", 2, "-in"},
		{[]string{"-nonsense"}, "", 2, "-nonsense"},
	} {
		code, out, errs := try(t, tt.in, tt.args...)
		if code != tt.code || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: exit code %d, stdout %q, stderr %q, want exit code %d and %q", tt.args, code, out, errs, tt.code, tt.want)
		}
	}
	if code, _, errs := try(t, "", "-h"); code != 0 || !strings.Contains(errs, "-skip-bad") {
		t.Errorf("-h: exit code %d, %q", code, errs)
	}
}

// TestInterrupt checks that the program stops when its context ends.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"-repeat", "100000000"}, nil, &out, &errs); code != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "context canceled") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out.String(), errs.String())
	}
}

// TestMerge checks that a key that two workers have handled is noticed.
func TestMerge(t *testing.T) {
	w := []*worker{
		{index: 0, origins: map[string]origin{"AAA": {flights: 1, worker: 0}}},
		{index: 1, origins: map[string]origin{"AAA": {flights: 1, worker: 1}}},
	}
	if _, err := merge(w); err == nil || err.Error() != "origin AAA was handled by worker 0 and by worker 1" {
		t.Errorf("got %v", err)
	}
}

// TestPeakMemory runs the built program over 3 million records and checks its peak resident memory.
func TestPeakMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads the peak from the process's rusage, in the unit that Linux uses")
	}
	if testing.Short() {
		t.Skip("3 million records")
	}
	bin := filepath.Join(t.TempDir(), "flights")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(bin, "-repeat", "150", "-memory", strconv.Itoa(8<<20))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if l := lines(string(out)); l[len(l)-1] != "total flights=3000000 origins=220 delay=23111700 distance=2171540100" {
		t.Errorf("got %q", l[len(l)-1])
	}
	if kib := maxRSS(cmd.ProcessState.SysUsage()); kib >= 96<<10 {
		t.Errorf("peak resident memory %d KiB, want less than 96 MiB", kib)
	} else {
		t.Logf("peak resident memory %d KiB", kib)
	}
}
