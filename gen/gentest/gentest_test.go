package gentest_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/gentest"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

// TestCorpus runs the cases of this repository that need packages of their own. RWGEN_CORPUS_ENV and RWGEN_CORPUS_FLAGS, separated by spaces, go to the environment
// and the flags with which their output is tested:
//
//	RWGEN_CORPUS_FLAGS='-race' go test ./gen/gentest -run TestCorpus
//	RWGEN_CORPUS_FLAGS='-gcflags=-d=checkptr' go test ./gen/gentest -run TestCorpus
//	RWGEN_CORPUS_ENV='GOARCH=386' go test ./gen/gentest -run TestCorpus -skip 'TestCorpus/loading/cgo'
func TestCorpus(t *testing.T) {
	gentest.Run(t, "testdata/corpus", gentest.Update(*update),
		gentest.Env(strings.Fields(os.Getenv("RWGEN_CORPUS_ENV"))...), gentest.GoTest(strings.Fields(os.Getenv("RWGEN_CORPUS_FLAGS"))...))
}
