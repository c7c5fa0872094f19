package gosrc

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"unicode"

	"github.com/rwgen/rwgen/gen/diag"
)

// prefix starts a directive: the comment is //, rwgen:, the verb, without a space before the verb.
const prefix = "//rwgen:"

var verbs = []string{"record", "writer"}

// almost matches a comment line that was meant to be a directive but has a space too many. Lines of prose do not match.
var almost = regexp.MustCompile(`^//[ \t]+rwgen:(record|writer[ \t]+\w+[ \t]+[\w=,.]+([ \t]+\w+=[\w.:]+)*)[ \t]*$`)

// directives is what the comments of one type declaration ask for.
type directives struct {
	record  bool
	pos     token.Position // of the first directive
	writers []writerSpec
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
