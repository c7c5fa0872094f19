package gate_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestInlined: these are called for each record. See also package buffer.
func TestInlined(t *testing.T) {
	for pkg, functions := range map[string][]string{
		".":         {"(*Core).Frame", "(*Core).Fixed"},
		"../writer": {"(*Core).Builder"},
	} {
		out, err := exec.Command("go", "build", "-gcflags=-m", pkg).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, f := range functions {
			if !strings.Contains(string(out), "can inline "+f+"\n") {
				t.Errorf("%s of %s is not inlined", f, pkg)
			}
		}
	}
}
