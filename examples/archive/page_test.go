package archive_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var block = regexp.MustCompile("(?s)```go\n(.*?)```")

// flat is Go code without what gofmt makes of its surroundings.
func flat(code string) string { return strings.Join(strings.Fields(code), " ") }

// TestPage: the page about serializers has no code but that of this package.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "runtime", "record", "SERIALIZERS.md"))
	if err != nil {
		t.Fatal(err)
	}
	var code string
	for _, name := range []string{"records.go", "archive.go", "example_test.go"} {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code += flat(string(src)) + " "
	}
	blocks := block.FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 12 {
		t.Errorf("only %d blocks of code", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(code, flat(b[1])) {
			t.Errorf("this is not code of the package:\n%s", b[1])
		}
	}
}
