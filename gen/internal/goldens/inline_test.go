package goldens_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// What generated code does for each record is inlined, wherever it stands. Basics has records of a fixed size and others, eventtimes writers with event times, slices numbers, views what borrows.
func TestInlined(t *testing.T) {
	build := exec.Command("go", "build", "-gcflags=-m", "./basics", "./eventtimes", "./slices", "./views")
	build.Env = append(os.Environ(), "GOARCH=amd64") // on machines of 32 bits the arithmetic of positions is too much for the compiler
	report, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, report)
	}
	inlined := map[string]bool{} // by file, line and function
	for line := range strings.Lines(string(report)) {
		if at, f, ok := strings.Cut(strings.TrimSpace(line), ": inlining call to "); ok {
			file := strings.Split(at, ":")[0] // as seen from where the compiler ran: its report may be one that the go command has kept
			name := path.Join(path.Base(path.Dir(file)), path.Base(file))
			inlined[name+":"+strings.Split(at, ":")[1]+" "+f] = true
		}
	}
	for file, calls := range map[string]map[string][]string{ // to one of these functions
		"basics/basics_rw.go": {
			"w.core.Builder(":                {"writer.(*Core).Builder"},
			"b.Tail(":                        {"buffer.(*Builder).Tail"},
			"b.Commit(":                      {"buffer.(*Builder).Commit"},
			"b.Append(":                      {"buffer.(*Builder).Append"},
			"b.Fixed(":                       {"buffer.(*Builder).Fixed"},
			"b.CommitFixed(":                 {"buffer.(*Builder).CommitFixed"},
			"b.AppendFixed(":                 {"buffer.(*Builder).AppendFixed"},
			"(SampleSerializer{}).Put(":      {"SampleSerializer.Put"},
			"r.core.Frame(":                  {"gate.(*Core).Frame"},
			"r.core.Fixed(":                  {"gate.(*Core).Fixed"},
			"(SampleSerializer{}).Consume(":  {"SampleSerializer.Consume"},
			"(OneBoolSerializer{}).Consume(": {"OneBoolSerializer.Consume"},
			"limits.CheckSize(":              {"record.Limits.CheckSize"},
			"wire.QuickSpan(":                {"wire.QuickSpan"},
		},
		"eventtimes/eventtimes_rw.go": {
			"w.times.Observe(":   {"eventtime.(*Monotonic).Observe", "eventtime.(*Bounded).Observe"},
			"w.times.Hurry(":     {"eventtime.(*Monotonic).Hurry", "eventtime.(*Bounded).Hurry"},
			"w.times.Watermark(": {"eventtime.(*Monotonic).Watermark", "eventtime.(*Bounded).Watermark"},
			".UnixMicro(":        {"time.Time.UnixMicro"},
			"b.Commit(":          {"buffer.(*Builder).Commit"},
			"b.CommitFixed(":     {"buffer.(*Builder).CommitFixed"},
		},
		"slices/slices_rw.go": {
			"wire.PutInts(":   ofShape("wire.PutInts", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"),
			"wire.Ints(":      ofShape("wire.Ints", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"),
			"wire.PutFloats(": ofShape("wire.PutFloats", "float32", "float64"),
			"wire.Floats(":    ofShape("wire.Floats", "float32", "float64"),
			"wire.PutWords(":  ofShape("wire.PutWords", "int", "uint", "uintptr"),
			"wire.Words(":     ofShape("wire.Words", "int", "uint", "uintptr"),
			"text.Quick(":     {"wire.(*Copies).Quick"},
		},
		"views/views_rw.go": {
			"wire.QuickText(":  {"wire.QuickText"},
			"wire.QuickBytes(": {"wire.QuickBytes"},
		},
	} {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Split(src, []byte("\n"))
		for call, functions := range calls {
			n := 0
			for i, line := range lines {
				if !bytes.Contains(line, []byte(call)) {
					continue
				}
				n++
				at := fmt.Sprintf("%s:%d", file, i+1)
				if !slices.ContainsFunc(functions, func(f string) bool { return inlined[at+" "+f] }) {
					t.Errorf("%s: %s) is not inlined", at, call)
				}
			}
			if n == 0 {
				t.Errorf("%s: there is no call %s)", file, call)
			}
		}
	}
}

// ofShape returns the names that the compiler has for a generic function with each of these type arguments.
func ofShape(function string, types ...string) []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = function + "[go.shape." + t + "]"
	}
	return names
}
