package partition_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/runtime/buffer"
)

var update = flag.Bool("update", false, "rewrite the results in testdata/transcript")

// TestTranscript runs the files in testdata/transcript. A line that starts in the first column is a command, the indented lines below it are its
// result; # starts a comment. The commands are described at session.run. Each file runs in a bubble of package synctest, so that times
// are exact and "parks" and "blocks" mean that nothing else will happen. A command that tells a parked reader twice (finish: of the last block, then of the end)
// may find it taking the first message already: what the inbox says after that is not for a transcript.
//
// After the last command everything is closed, and the bytes written must have been polled or dropped, and all memory given back.
func TestTranscript(t *testing.T) {
	files, err := filepath.Glob("testdata/transcript/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no transcripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			if strings.HasPrefix(filepath.Base(file), "hot-") && !buffer.CanBarrier() {
				t.Log("this kernel refuses barriers: lanes are never hot")
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			synctest.Test(t, func(t *testing.T) { got = transcript(t, want) })
			if *update {
				if err := os.WriteFile(file, got, 0o666); err != nil {
					t.Fatal(err)
				}
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s differs (-want +got):\n%s", file, cmp.Diff(string(want), string(got)))
			}
		})
	}
}

// transcript runs the commands of a file and returns the file with the results that they had.
func transcript(t *testing.T, file []byte) []byte {
	var out bytes.Buffer
	s := newSession(t)
	for line := range strings.Lines(string(file)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, " "):
			continue // a result
		case line == "" || line[0] == '#':
			fmt.Fprintln(&out, line)
			continue
		}
		fmt.Fprintln(&out, line)
		for _, result := range s.run(strings.Fields(line)) {
			fmt.Fprintln(&out, " ", result)
		}
	}
	s.end()
	return out.Bytes()
}
