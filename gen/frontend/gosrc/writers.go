package gosrc

import (
	"errors"
	"go/token"
	"go/types"
	"strings"

	"github.com/rwgen/rwgen/gen/frontend/spec"
	"github.com/rwgen/rwgen/gen/ir"
)

// writers adds the writers of a record to it.
func (u *unit) writers(r *ir.Record, t types.Type, decl *typeDecl, b *builder, specs []spec.Writer) {
	resolver := spec.Resolver{
		Diags: u.diags,
		Type:  func(*ir.Record) string { return b.typeString(t) },
		Custom: func(_ *ir.Record, name string, report spec.Reporter) bool {
			return u.custom(t, decl, b, name, report)
		},
		Punctuation: func(_ *ir.Record, name string, report spec.Reporter) bool {
			return u.punctuation(t, decl, b, name, report)
		},
	}
	if r.Format.Calls() {
		resolver.Path = func(r *ir.Record, use spec.Use, name string, report spec.Reporter) ir.Path {
			return b.path(use, r, t, decl, name, report)
		}
	}
	resolver.Resolve(r, specs)
}

// parseWriterFlag reads the value of a -writer flag: "Flight.ByOrigin key=Origin".
func parseWriterFlag(text string) (record string, w spec.Writer, err error) {
	args := split(text)
	if len(args) > 0 {
		var ok bool
		if record, args[0].text, ok = strings.Cut(args[0].text, "."); !ok || !token.IsIdentifier(record) {
			return "", w, errors.New("the form is 'Record.Name key=Field'")
		}
	}
	w, d := spec.Parse(specWords(args), token.Position{})
	if d != nil {
		return "", w, errors.New(d.Message)
	}
	w.Flag = text
	return record, w, nil
}

// specWords returns the words that ask for a writer.
func specWords(words []word) []spec.Word {
	out := make([]spec.Word, len(words))
	for i, w := range words {
		out[i] = spec.Word{Text: w.text, Pos: w.pos}
	}
	return out
}
