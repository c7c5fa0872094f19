package flight

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"
)

// TestDataIsOfTheExample fails when the flights are not those that the package comment names.
func TestDataIsOfTheExample(t *testing.T) {
	file, err := os.Open("../../../flights/data/flights-20k.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	lines := bufio.NewScanner(unzipped)
	for i := -1; lines.Scan() && i < 1024*19; i++ {
		if i == -1 || i%19 == 0 {
			want.WriteString(lines.Text() + "\n")
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if data != want.String() {
		t.Errorf("flights-1k.csv has %d bytes and is not the %d bytes of every 19th flight", len(data), want.Len())
	}
}
