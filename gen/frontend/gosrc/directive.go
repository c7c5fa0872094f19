package gosrc

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// prefix starts a directive: the comment is //, rwgen:, the verb, without a space before the verb.
const prefix = "//rwgen:"

var verbs = []string{"record", "writer"}

// almost matches a comment line that was meant to be a directive but has a space too many. Lines of prose do not match.
var almost = regexp.MustCompile(`^//[ \t]+rwgen:(record|writer[ \t]+\w+[ \t]+[\w=,.]+)[ \t]*$`)

// directives is what the comments of one type declaration ask for.
type directives struct {
	record  bool
	pos     token.Position // of the first directive
	writers []writerSpec
}

// writerSpec is one writer as asked for by a directive or a flag, its key and function not yet looked up.
type writerSpec struct {
	name  string
	kind  ir.WriterKind
	value string         // after "=", for key and custom
	pos   token.Position // of the directive; for a flag that of the record
	at    token.Position // of the selection
	flag  string         // the flag's text, "" for a directive
}

// parseDirectives reads the directives in a doc comment. Lines that are no directives are left alone.
func parseDirectives(doc *ast.CommentGroup, position func(token.Pos) token.Position, diags *diag.List) directives {
	var ds directives
	if doc == nil {
		return ds
	}
	for _, c := range doc.List {
		text, ok := strings.CutPrefix(c.Text, prefix)
		if !ok {
			if almost.MatchString(c.Text) {
				diags.Addf(position(c.Pos()), diag.Directive, "a directive has no space after //").
					Hint = "//" + strings.TrimLeft(c.Text[2:], " \t")
			}
			continue
		}
		pos := position(c.Pos())
		if !ds.pos.IsValid() {
			ds.pos = pos
		}
		words := split(text)
		if len(words) == 0 || words[0].column != 0 {
			diags.Addf(pos, diag.Directive, "a directive needs a verb right after //rwgen:").Hint = "//rwgen:record"
			continue
		}
		for i := range words {
			words[i].pos = pos
			words[i].pos.Column += len(prefix) + words[i].column
		}
		switch verb, args := words[0], words[1:]; verb.text {
		case "record":
			switch {
			case len(args) > 0:
				diags.Addf(args[0].pos, diag.Directive, "//rwgen:record takes no arguments, but has %q", args[0].text).
					Hint = "//rwgen:record on a line of its own"
			case ds.record:
				diags.Addf(pos, diag.Directive, "//rwgen:record stands here twice").Hint = "remove one of them"
			}
			ds.record = true
		case "writer":
			if w, d := parseWriter(args, pos); d != nil {
				*diags = append(*diags, d)
			} else {
				ds.writers = append(ds.writers, w)
			}
		default:
			d := diags.Addf(pos, diag.Directive, "unknown directive //rwgen:%s", verb.text)
			if near := diag.Nearest(verb.text, verbs); near != "" {
				d.Hint = prefix + near
			} else {
				d.Hint = "//rwgen:record or //rwgen:writer Name key=Field"
			}
		}
	}
	return ds
}

// word is one word of a directive.
type word struct {
	text   string
	column int // offset in the text
	pos    token.Position
}

func split(text string) []word {
	var words []word
	start := -1
	for i, r := range text + " " {
		switch space := unicode.IsSpace(r); {
		case !space && start < 0:
			start = i
		case space && start >= 0:
			words = append(words, word{text: text[start:i], column: start})
			start = -1
		}
	}
	return words
}

// selections returns the words for the kinds of writers, in the order of the kinds.
func selections() []string {
	var words []string
	for k := ir.Keyed; k <= ir.Custom; k++ {
		words = append(words, k.String())
	}
	return words
}

const writerForm = "//rwgen:writer Name key=Field (or broadcast, rebalance, rescale, shuffle, global, forward, custom=Func)"

// parseWriter reads the words after //rwgen:writer: a name and a selection.
func parseWriter(args []word, pos token.Position) (writerSpec, *diag.Diagnostic) {
	fail := func(pos token.Position, hint, format string, a ...any) (writerSpec, *diag.Diagnostic) {
		return writerSpec{}, &diag.Diagnostic{Pos: pos, Category: diag.Directive, Message: fmt.Sprintf(format, a...), Hint: hint}
	}
	if len(args) == 0 {
		return fail(pos, writerForm, "a writer needs a name and a selection")
	}
	name := args[0]
	if first, size := utf8.DecodeRuneInString(name.text); !token.IsIdentifier(name.text) || !unicode.IsUpper(first) {
		hint := writerForm
		if token.IsIdentifier(name.text) && unicode.IsLower(first) {
			hint = string(unicode.ToUpper(first)) + name.text[size:]
		}
		return fail(name.pos, hint, "%q is no name for a writer: it must be an identifier with an upper-case first letter", name.text)
	}
	switch {
	case len(args) == 1:
		return fail(pos, writerForm, "writer %s needs a selection", name.text)
	case len(args) > 2 && strings.HasPrefix(args[1].text, "key="):
		return fail(args[2].pos, "key=A,B for several fields, without spaces",
			"unexpected %q after the selection of writer %s", args[2].text, name.text)
	case len(args) > 2:
		return fail(args[2].pos, "remove it", "unexpected %q after the selection of writer %s", args[2].text, name.text)
	}
	spec := args[1]
	selection, value, hasValue := strings.Cut(spec.text, "=")
	i := slices.Index(selections(), selection)
	if i < 0 {
		hint := diag.Nearest(selection, selections())
		switch {
		case hint == "":
			hint = writerForm
		case hasValue:
			hint += "=" + value
		}
		return fail(spec.pos, hint, "unknown selection %q of writer %s", selection, name.text)
	}
	kind := ir.Keyed + ir.WriterKind(i)
	switch kind {
	case ir.Keyed:
		if value == "" {
			return fail(spec.pos, "key=Field", "the selection of writer %s needs a field after key=", name.text)
		}
	case ir.Custom:
		if value == "" {
			return fail(spec.pos, "custom=Func", "the selection of writer %s needs a function after custom=", name.text)
		}
	default:
		if hasValue {
			return fail(spec.pos, selection, "the selection %s of writer %s takes no value", selection, name.text)
		}
	}
	return writerSpec{name: name.text, kind: kind, value: value, pos: pos, at: spec.pos}, nil
}

// parseWriterFlag reads the value of a -writer flag: "Flight.ByOrigin key=Origin".
func parseWriterFlag(text string) (record string, w writerSpec, err error) {
	args := split(text)
	if len(args) > 0 {
		var ok bool
		if record, args[0].text, ok = strings.Cut(args[0].text, "."); !ok || !token.IsIdentifier(record) {
			return "", w, errors.New("the form is 'Record.Name key=Field'")
		}
	}
	w, d := parseWriter(args, token.Position{})
	if d != nil {
		return "", w, errors.New(d.Message)
	}
	w.flag = text
	return record, w, nil
}
