package buffer_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestInlined: these are called for each record, and cost as much as all they do if the compiler does not inline them.
func TestInlined(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, f := range []string{"(*Builder).Tail", "(*Builder).Commit", "(*Builder).Confirm"} {
		if !strings.Contains(string(out), "can inline "+f+"\n") {
			t.Errorf("%s is not inlined", f)
		}
	}
}
