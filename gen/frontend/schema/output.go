package schema

import (
	"path"
	"strings"
	"unicode"
)

// OutputNames returns the base names of the files that are generated for a schema file: org.usgs.Quake.avsc gives org_usgs_quake_types.go for the types and org_usgs_quake_rw.go for
// the code that writes and reads them. "-" is called stdin.
func OutputNames(file string) (types, code string) {
	if file == "-" {
		file = "stdin"
	}
	stem := path.Base(strings.ReplaceAll(file, `\`, "/"))
	stem = strings.TrimSuffix(stem, path.Ext(stem))
	// The go command reads systems before the first dot of a name, and ignores files that begin with a dot or an underscore.
	stem = strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return '_'
		}
		return unicode.ToLower(r)
	}, stem)
	switch {
	case strings.Trim(stem, "_") == "":
		stem = "schema"
	case stem[0] == '_':
		stem = "x" + stem
	}
	return stem + "_types.go", stem + "_rw.go"
}
