package eventtime_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestInlined: these are called for each record.
func TestInlined(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, f := range []string{"(*Monotonic).Observe", "(*Bounded).Observe", "(*Bounded).Hurry"} {
		if !strings.Contains(string(out), "can inline "+f+"\n") {
			t.Errorf("%s is not inlined", f)
		}
	}
}
