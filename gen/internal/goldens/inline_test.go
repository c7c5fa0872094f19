package goldens_test

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// What generated code does for each record is inlined, wherever it stands. Basics has records of a fixed size and others.
func TestInlined(t *testing.T) {
	const file = "basics/basics_rw.go"
	build := exec.Command("go", "build", "-gcflags=-m", "./basics")
	build.Env = append(os.Environ(), "GOARCH=amd64") // on machines of 32 bits the arithmetic of positions is too much for the compiler
	report, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, report)
	}
	inlined := map[string]bool{} // by line and function
	for line := range strings.Lines(string(report)) {
		if at, f, ok := strings.Cut(strings.TrimSpace(line), ": inlining call to "); ok && strings.HasPrefix(at, file+":") {
			inlined[strings.Split(at, ":")[1]+" "+f] = true
		}
	}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(src, []byte("\n"))
	for _, tt := range []struct{ call, function string }{
		{"w.core.Builder(", "writer.(*Core).Builder"},
		{"b.Tail(", "buffer.(*Builder).Tail"},
		{"b.Commit(", "buffer.(*Builder).Commit"},
		{"b.Append(", "buffer.(*Builder).Append"},
		{"b.Fixed(", "buffer.(*Builder).Fixed"},
		{"b.CommitFixed(", "buffer.(*Builder).CommitFixed"},
		{"b.AppendFixed(", "buffer.(*Builder).AppendFixed"},
		{"(SampleSerializer{}).Put(", "SampleSerializer.Put"},
		{"r.core.Frame(", "gate.(*Core).Frame"},
		{"r.core.Fixed(", "gate.(*Core).Fixed"},
		{"(SampleSerializer{}).Consume(", "SampleSerializer.Consume"},
		{"(OneBoolSerializer{}).Consume(", "OneBoolSerializer.Consume"},
	} {
		calls := 0
		for i, line := range lines {
			if !bytes.Contains(line, []byte(tt.call)) {
				continue
			}
			calls++
			if !inlined[strconv.Itoa(i+1)+" "+tt.function] {
				t.Errorf("%s:%d: %s is not inlined", file, i+1, tt.function)
			}
		}
		if calls == 0 {
			t.Errorf("%s: there is no call of %s", file, tt.function)
		}
	}
}
