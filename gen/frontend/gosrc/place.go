package gosrc

import (
	"cmp"
	"fmt"
	"go/token"
	"strings"
)

const leaveOut = `leave the field out with the tag rw:"-"`

// place is where a type is used: the path from the record, and the innermost field whose declaration the user can edit.
type place struct {
	path  string
	pos   token.Pos
	field string // name of that field, "" in a record itself
	// foreign says that there are fields below that one, of structs that are not the user's.
	foreign bool
	// remedy says what to do where no field can be left out; "" in a record itself.
	remedy string
}

func (p place) elem() place { p.path += "[]"; return p }
func (p place) key() place  { p.path += "[key]"; return p }

// fail reports that the type at p has no encoding.
func (b *builder) fail(p place, category, hint, format string, args ...any) {
	lead, ok := strings.CutSuffix(hint, leaveOut)
	switch {
	case !ok:
	case p.field == "":
		hint = lead + cmp.Or(p.remedy, "a struct with fields of its own")
	case !strings.HasSuffix(p.path, "."+p.field):
		hint = lead + fmt.Sprintf(`leave the field %s out with the tag rw:"-"`, p.field)
	}
	message := fmt.Sprintf(format, args...)
	at := finding{p.pos, message}
	if p.foreign {
		at.message = "" // one is enough: leaving the field out is all that can be done
	}
	if b.found[at] {
		return
	}
	b.found[at] = true
	b.u.diags.Addf(b.u.position(p.pos), category, "%s: %s", shortPath(p.path), message).Hint = hint
}

// shortPath leaves out the middle of a very long path.
func shortPath(path string) string {
	const most, end = 120, 40
	if len(path) <= most {
		return path
	}
	head, tail := path[:end], path[len(path)-end:]
	return head[:strings.LastIndexByte(head, '.')+1] + "…" + tail[max(0, strings.IndexByte(tail, '.')):]
}

// finding is what tells one diagnostic of a builder from another.
type finding struct {
	pos     token.Pos
	message string
}
