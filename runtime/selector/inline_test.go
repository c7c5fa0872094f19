package selector_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestInlining pins that the compiler puts the choice of a channel into generated Emit methods.
func TestInlining(t *testing.T) {
	build := exec.Command("go", "build", "-gcflags=-m", ".")
	build.Env = append(os.Environ(), "GOARCH=amd64") // costs differ a little between machines
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"Scale", "HashString", "HashBytes", "HashBool", "Hash8", "Hash16", "Hash32", "Hash64",
		"HashFloat32", "HashFloat64", "AppendString", "AppendBytes", "Append64", "(*Cursor).Next", "(*Random).Channel",
		"FlinkString", "FlinkBytes", "FlinkBool", "Flink32", "Flink64", "FlinkFloat32", "FlinkFloat64", "FlinkTime", "FlinkCombine", "FlinkGroup",
		"KafkaChannel", "KafkaString", "KafkaBytes", "KafkaBool", "Kafka8", "Kafka16", "Kafka32", "Kafka64", "KafkaFloat32",
		"TwoOf", "(*TwoChoices).Choose"} {
		if !strings.Contains(string(out), ": can inline "+name+"\n") {
			t.Errorf("%s is not inlined any more", name)
		}
	}
}
