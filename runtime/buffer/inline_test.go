package buffer_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestInlined: these are called for each record, and cost as much as all they do if the compiler does not inline them.
func TestInlined(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	functions := []string{"(*Builder).Tail"}
	if strconv.IntSize == 64 { // on smaller machines the arithmetic of positions is too much for the compiler
		functions = append(functions, "(*Builder).Commit", "(*Builder).Append", "(*Builder).Confirm", "(*Builder).Fixed", "(*Builder).CommitFixed",
			"(*Builder).AppendFixed")
	}
	for _, f := range functions {
		if !strings.Contains(string(out), "can inline "+f+"\n") {
			t.Errorf("%s is not inlined", f)
		}
	}
}
