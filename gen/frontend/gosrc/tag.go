package gosrc

import (
	"fmt"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/runtime/record"
)

// parseTag reads the rw key of a struct tag by the rules of the runtime, and says what may have been meant if it is wrong.
func parseTag(raw string) (t record.Tag, hint string, err error) {
	t, err = record.ParseTag(raw)
	if err == nil {
		return t, "", nil
	}
	hint = `rw:"-", rw:"varint", or no rw key at all`
	if _, value, ok := strings.Cut(raw, `rw:"`); ok {
		value, _, _ = strings.Cut(value, `"`)
		if near := diag.Nearest(value, []string{"-", "varint"}); near != "" && near != value {
			hint = fmt.Sprintf("rw:%q", near)
		}
	}
	return t, hint, err
}
