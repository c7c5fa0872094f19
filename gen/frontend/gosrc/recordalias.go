package gosrc

import (
	"errors"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// recordAliases reads the value of alias= behind //rwgen:record: names of records, separated by bars.
func (p *directiveParser) recordAliases(list word) []word {
	var names []word
	start := 0
	for _, name := range strings.Split(list.text, "|") {
		w := list.part(start, start+len(name))
		if w.text == "" {
			w.at, w.pos = list.at, list.pos
		}
		start += len(name) + len("|")
		var fault *record.TagError
		if errors.As(record.CheckAliases(append(texts(names), name)), &fault) {
			p.fail(w.pos, fault.Hint, "alias=: %s", fault.Reason)
			continue
		}
		names = append(names, w)
	}
	return names
}

func texts(words []word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return out
}

// setAliases gives a record the names that it had before, without those that cannot be, which are reported.
func (u *unit) setAliases(r *ir.Record, root root) {
	if r.Type == nil || r.Type.Name == nil {
		return
	}
	if r.Format.Calls() && len(root.aliases) > 0 {
		u.diags.Addf(root.aliases[0].pos, diag.Directive, "alias=: a record of the format %s is known by %s, and has no other names", r.Format, r.Called).Hint = "remove it"
		return
	}
	name := r.Type.Name.Own()
	for _, w := range root.aliases {
		switch _, args, instance := strings.Cut(w.text, "["); {
		case w.text == name:
			u.diags.Addf(w.pos, diag.Directive, "alias=: %s is the name of the record", w.text).Hint = "remove it"
		case instance && root.several:
			u.diags.Addf(w.pos, diag.Directive, "alias=: the directive has several instances, and %s is not a name of all", w.text).
				Hint = "a directive for each instance, or the name without [" + args
		default:
			r.Aliases = append(r.Aliases, w.text)
		}
	}
}
