package wire_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestInlining pins that the compiler puts the small functions into their callers, which generated code is made for.
func TestInlining(t *testing.T) {
	build := exec.Command("go", "build", "-gcflags=-m", ".")
	build.Env = append(os.Environ(), "GOARCH=amd64") // costs differ a little between machines
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"Uvarint", "UvarintLen", "PutUvarint", "Zigzag", "Unzigzag", "PutTime", "(*Budget).Enter", "(*Budget).Leave",
		"(*Budget).Interner", "SizedLen", "CheckMax", "View", "ViewString", "QuickSpan", "QuickText", "QuickBytes", "(*Copies).Quick", "shortLength"} {
		if !strings.Contains(string(out), ": can inline "+name+"\n") {
			t.Errorf("%s is not inlined any more", name)
		}
	}
}
