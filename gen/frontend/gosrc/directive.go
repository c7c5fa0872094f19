package gosrc

import (
	"cmp"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/spec"
)

// prefix starts a directive: the comment is //, rwgen:, the verb, without a space before the verb.
const prefix = "//rwgen:"

var verbs = []string{"record", "writer", "union", "codec"}

// almost matches a comment line that was meant to be a directive but has a space too many. Lines of prose do not match.
var almost = regexp.MustCompile(`^//[ \t]+rwgen:(record([ \t]+\[[^\]].*\])*([ \t]+(with=[\w,]+|alias=[\w|,*?\[\]]+|format=\w+))*|writer[ \t]+\w+[ \t]+[\w=,.]+([ \t]+\w+=[\w.:]+)*|` +
	`union[ \t]+\*?[\w.]+(,\*?[\w.]+)+|codec[ \t]+\w+\.\w+)[ \t]*$`)

// directives is what the comments of one type declaration ask for.
type directives struct {
	record bool
	// instances are the type arguments of the instances of a generic type that are records, each in brackets.
	instances []word
	// options are those of the record, and instancesOptions those of each of the instances.
	options          recordOptions
	instancesOptions []recordOptions
	writers          []spec.Writer
	union            *typeList
	codec            *typeList
	pos              token.Position // of the first directive
	// faulty says that a //rwgen:record has been reported that may have asked for instances.
	faulty bool
}

// typeList is a directive whose argument is a list of types.
type typeList struct {
	verb  string
	pos   token.Position
	types []word
}

// directiveParser reads the directives of one doc comment.
type directiveParser struct {
	directives
	diags *diag.List
}

// parseDirectives reads the directives in a doc comment. Lines that are no directives are left alone.
func parseDirectives(doc *ast.CommentGroup, position func(token.Pos) token.Position, diags *diag.List) directives {
	p := directiveParser{diags: diags}
	if doc == nil {
		return p.directives
	}
	for _, c := range doc.List {
		text, ok := strings.CutPrefix(c.Text, prefix)
		if !ok {
			if almost.MatchString(c.Text) {
				p.fail(position(c.Pos()), "//"+strings.TrimLeft(c.Text[2:], " \t"), "a directive has no space after //")
			}
			continue
		}
		pos := position(c.Pos())
		if !p.pos.IsValid() {
			p.pos = pos
		}
		words := split(text)
		if len(words) == 0 || words[0].column != 0 {
			p.fail(pos, "//rwgen:record", "a directive needs a verb right after //rwgen:")
			continue
		}
		verb := words[0].text
		if verb != "writer" {
			words = splitNested(text)
		}
		for i := range words {
			words[i].pos = pos
			words[i].pos.Column += len(prefix) + words[i].column
			words[i].at = c.Pos() + token.Pos(len(prefix)+words[i].column)
		}
		p.directive(verb, words[1:], pos)
	}
	return p.directives
}

// directive reads one directive. The arguments follow on the verb, which is not empty.
func (p *directiveParser) directive(verb string, args []word, pos token.Position) {
	switch verb {
	case "record":
		p.asRecord(args, pos)
	case "writer":
		if w, d := spec.Parse(specWords(args), pos); d != nil {
			*p.diags = append(*p.diags, d)
		} else {
			p.writers = append(p.writers, w)
		}
	case "union":
		p.asUnion(args, pos)
	case "codec":
		p.asCodec(args, pos)
	default:
		name, rest, bracket := strings.Cut(verb, "[")
		hint := "//rwgen:record, //rwgen:writer Name key=Field, //rwgen:union A,*B or //rwgen:codec pkg.Type"
		switch near := diag.Nearest(verb, verbs); {
		case bracket && name == "record":
			hint = "//rwgen:record [" + rest
		case near != "":
			hint = prefix + near
		}
		p.fail(pos, hint, "unknown directive //rwgen:%s", verb)
	}
}

func (p *directiveParser) fail(pos token.Position, hint, format string, args ...any) {
	p.diags.Addf(pos, diag.Directive, format, args...).Hint = hint
}

// asRecord reads the words after //rwgen:record: lists of type arguments in brackets, if any, and options.
func (p *directiveParser) asRecord(args []word, pos token.Position) {
	args, options := p.recordOptions(args)
	before := len(p.instances)
	defer func() {
		options.several = len(p.instances) > before+1
		for range p.instances[before:] {
			p.instancesOptions = append(p.instancesOptions, options)
		}
	}()
	if len(args) == 0 {
		p.options.with |= options.with
		p.options.aliases = append(p.options.aliases, options.aliases...)
		p.options.format = cmp.Or(p.options.format, options.format)
		if p.record {
			p.fail(pos, "remove one of them", "//rwgen:record stands here twice")
		}
		p.record = true
		return
	}
	for _, w := range args {
		inner, ok := strings.CutPrefix(w.text, "[")
		inner, closed := strings.CutSuffix(inner, "]")
		switch {
		case ok && closed && strings.TrimSpace(inner) != "":
			p.instances = append(p.instances, w)
		case strings.ContainsAny(w.text, "[],"):
			p.faulty = true
			p.fail(w.pos, "//rwgen:record [string,int]", "%q is no list of type arguments in brackets", w.text)
		default:
			p.record = true
			p.fail(w.pos, "//rwgen:record on a line of its own", "//rwgen:record takes no arguments but those of a generic type in brackets, with=, alias= and format=, and has %q", w.text)
			return // the rest is part of the same
		}
	}
}

// asUnion reads the word after //rwgen:union: types that are separated by commas.
func (p *directiveParser) asUnion(args []word, pos token.Position) {
	const form = "//rwgen:union A,*B with the types of its values"
	switch {
	case p.union != nil:
		p.fail(pos, "one directive with all members", "//rwgen:union stands here twice")
		return
	case len(args) == 0:
		p.union = &typeList{verb: "union", pos: pos}
		p.fail(pos, form, "a union needs members")
		return
	}
	p.union = &typeList{verb: "union", pos: pos}
	if len(args) > 1 {
		p.fail(args[1].pos, prefix+"union "+joinList(args), "unexpected %q: the members of a union are separated by commas, without spaces", args[1].text)
		return
	}
	for _, w := range args[0].list() {
		if w.text == "" {
			p.fail(w.pos, "remove a comma", "an empty name among the members of a union")
			continue
		}
		p.union.types = append(p.union.types, w)
	}
}

// asCodec reads the word after //rwgen:codec: a type.
func (p *directiveParser) asCodec(args []word, pos token.Position) {
	const form = "//rwgen:codec pkg.Type"
	switch {
	case p.codec != nil:
		p.fail(pos, "a codec type for each type", "//rwgen:codec stands here twice")
		return
	case len(args) == 0:
		p.codec = &typeList{verb: "codec", pos: pos}
		p.fail(pos, form, "a codec needs the type that it is for")
		return
	}
	p.codec = &typeList{verb: "codec", pos: pos}
	list := args[0].list()
	switch {
	case len(args) > 1:
		p.fail(args[1].pos, prefix+"codec "+args[0].text, "unexpected %q: a codec is for one type", args[1].text)
	case slices.ContainsFunc(list, func(w word) bool { return w.text == "" }):
		p.fail(args[0].pos, form, "%q is no type", args[0].text)
	case len(list) > 1:
		p.fail(list[1].pos, "a codec type for each type", "a codec is for one type, not for %d", len(list))
	default:
		p.codec.types = list
	}
}

// joinList puts words that should have been one list together.
func joinList(args []word) string {
	var names []string
	for _, a := range args {
		for _, w := range a.list() {
			names = append(names, w.text)
		}
	}
	return strings.Join(slices.DeleteFunc(names, func(s string) bool { return s == "" }), ",")
}
