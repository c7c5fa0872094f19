package random

import (
	"fmt"
	"strings"
)

// perFile is the number of records in each file of a large package.
const perFile = 10

// Large returns the files of a package large with n records of an everyday kind, ten in each file: a dozen fields, some of them in structs, slices and maps that
// the records of a file share.
func Large(n int) map[string]string {
	files := make(map[string]string)
	for first := 0; first < n; first += perFile {
		files[fmt.Sprintf("records%d.go", first/perFile)] = largeFile(first, min(first+perFile, n))
	}
	return files
}

func largeFile(first, end int) string {
	var b strings.Builder
	b.WriteString("package large\n\nimport \"time\"\n")
	for i := first; i < end; i++ {
		fmt.Fprintf(&b, `
// Record%[1]d is one of many.
//
//rwgen:record
//rwgen:writer ByKey key=Key
type Record%[1]d struct {
	Key      string
	Number   int64 %[3]s
	At       time.Time
	Price    float64
	Count    uint32
	Flag     bool
	Note     *string
	Tags     []string
	Labels   map[string]string
	Lines    []Line%[2]d
	Address  Address%[2]d
	Payload  []byte
}
`, i, first/perFile, "`rw:\"varint\"`")
	}
	fmt.Fprintf(&b, `
// Line%[1]d is part of the records.
type Line%[1]d struct {
	Product  string
	Quantity int32
	Price    float64
	Options  []string
}

// Address%[1]d is part of the records.
type Address%[1]d struct {
	Street, City, Country string
	Lat, Lon              float32
}
`, first/perFile)
	return b.String()
}
