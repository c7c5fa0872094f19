package spec

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// Word is one word of a text that asks for a writer.
type Word struct {
	Text string
	Pos  token.Position
}

// Writer is one writer as asked for, its key and function not yet looked up.
type Writer struct {
	Name    string
	Kind    ir.WriterKind
	Value   string // after "=", for key and custom
	Hash    ir.Hash
	Choices int            // 2, or 0 if not given
	Pos     token.Position // of the directive, or of what asks for it in other ways
	At      token.Position // of the selection
	HashAt  token.Position // of hash=, if given
	// Flag is the text of the flag that asks for the writer, empty for a directive. [Resolver] then reports what is wrong at the position of the record.
	Flag      string
	EventTime EventTime
}

// selections returns the words for the kinds of writers, in the order of the kinds.
func selections() []string {
	var words []string
	for k := ir.Keyed; k <= ir.Custom; k++ {
		words = append(words, k.String())
	}
	return words
}

// otherNames leads from what selections are called elsewhere to what they are called here. Keys are without hyphens and in lower case.
var otherNames = map[string]string{
	"roundrobin": "rebalance", "robin": "rebalance", "balance": "rebalance", "cycle": "rebalance",
	"leastloaded": "load", "leastload": "load", "least": "load", "loadbased": "load", "adaptive": "load", "backlog": "load", "shortest": "load",
	"random": "shuffle", "any": "shuffle",
	"hash": "key", "hashed": "key", "keyed": "key", "keyby": "key", "partition": "key", "by": "key", "field": "key", "fields": "key",
	"all": "broadcast", "every": "broadcast", "everywhere": "broadcast", "multicast": "broadcast",
	"single": "global", "one": "global", "first": "global",
	"local": "forward", "direct": "forward", "same": "forward", "identity": "forward",
	"func": "custom", "function": "custom", "select": "custom", "selector": "custom",
}

const writerForm = "//rwgen:writer Name key=Field (or broadcast, rebalance, rescale, shuffle, global, forward, load, custom=Func)"

// parser reads the words after //rwgen:writer.
type parser struct {
	spec Writer
	diag *diag.Diagnostic // the first one
}

// fail notes what is wrong, and returns false.
func (p *parser) fail(pos token.Position, hint, format string, a ...any) bool {
	p.diag = &diag.Diagnostic{Pos: pos, Category: diag.Directive, Message: fmt.Sprintf(format, a...), Hint: hint}
	return false
}

// Parse reads the words after //rwgen:writer: a name, a selection, and options of it. The diagnostic is nil if nothing is wrong with them.
func Parse(args []Word, pos token.Position) (Writer, *diag.Diagnostic) {
	p := &parser{spec: Writer{Pos: pos}}
	if len(args) == 0 {
		p.fail(pos, writerForm, "a writer needs a name and a selection")
	} else if p.name(args[0]) && p.selection(args[1:]) {
		p.options(args[2:])
	}
	return p.spec, p.diag
}

func (p *parser) name(w Word) bool {
	p.spec.Name = w.Text
	if first, size := utf8.DecodeRuneInString(w.Text); !token.IsIdentifier(w.Text) || !unicode.IsUpper(first) {
		hint := writerForm
		if token.IsIdentifier(w.Text) && unicode.IsLower(first) {
			hint = string(unicode.ToUpper(first)) + w.Text[size:]
		}
		return p.fail(w.Pos, hint, "%q is no name for a writer: it must be an identifier with an upper-case first letter", w.Text)
	}
	return true
}

// selection reads the first of the words after the name.
func (p *parser) selection(args []Word) bool {
	name := p.spec.Name
	if len(args) == 0 {
		return p.fail(p.spec.Pos, writerForm, "writer %s needs a selection", name)
	}
	at := args[0]
	selection, value, hasValue := strings.Cut(at.Text, "=")
	i := slices.Index(selections(), selection)
	if i < 0 && slices.Contains(optionNames, selection) {
		return p.optionFirst(args)
	}
	if i < 0 {
		hint := otherNames[strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(selection))]
		if hint == "" {
			hint = diag.Nearest(selection, selections())
		}
		switch {
		case hint == "":
			hint = writerForm
		case hasValue && (hint == ir.Keyed.String() || hint == ir.Custom.String()):
			hint += "=" + value
		case hint == ir.Keyed.String():
			hint += "=Field"
		case hint == ir.Custom.String():
			hint += "=Func"
		}
		return p.fail(at.Pos, hint, "unknown selection %q of writer %s", selection, name)
	}
	p.spec.Kind, p.spec.Value, p.spec.At = ir.Keyed+ir.WriterKind(i), value, at.Pos
	switch p.spec.Kind {
	case ir.Keyed:
		if value == "" {
			return p.fail(at.Pos, "key=Field", "the selection of writer %s needs a field after key=", name)
		}
	case ir.Custom:
		if value == "" {
			return p.fail(at.Pos, "custom=Func", "the selection of writer %s needs a function after custom=", name)
		}
	default:
		if hasValue {
			return p.fail(at.Pos, selection, "the selection %s of writer %s takes no value", selection, name)
		}
	}
	return true
}

// optionNames lists the options of a writer. They are written name=value, after the selection. hash and choices belong to a key.
var optionNames = []string{"hash", "choices", "eventtime", "watermark"}

// optionExamples holds a value of each option.
var optionExamples = map[string]string{"hash": "xxh3", "choices": "2", "eventtime": "Field", "watermark": "bounded:5s"}

// optionFirst reports an option where a selection should be, followed by other words.
func (p *parser) optionFirst(args []Word) bool {
	option := args[0]
	name, value, _ := strings.Cut(option.Text, "=")
	if name == "hash" && value != "" && !slices.Contains(hashNames(), value) {
		return p.fail(option.Pos, "key="+value, "writer %s needs a selection before the name of a hash, and %q is none", p.spec.Name, value)
	}
	if len(args) == 1 {
		return p.fail(option.Pos, "key=Field "+option.Text, "writer %s needs a selection before %s", p.spec.Name, option.Text)
	}
	return p.fail(option.Pos, args[1].Text+" "+option.Text, "%s of writer %s stands before the selection", option.Text, p.spec.Name)
}

// options reads the words after the selection.
func (p *parser) options(args []Word) bool {
	given := map[string]Word{}
	for _, w := range args {
		name, value, isOption := strings.Cut(w.Text, "=")
		if !isOption || !slices.Contains(optionNames, name) {
			return p.noOption(w, name, value)
		}
		if _, twice := given[name]; twice {
			return p.fail(w.Pos, "remove one of them", "the option %s of writer %s stands here twice", name, p.spec.Name)
		}
		given[name] = w
		ok := true
		switch name {
		case "hash":
			ok = p.hash(w, value)
		case "choices":
			ok = p.choices(w, value)
		case "eventtime":
			ok = p.eventTime(w, value)
		case "watermark":
			ok = p.watermark(w, value)
		}
		if !ok {
			return false
		}
	}
	if w, ok := given["choices"]; ok && p.spec.Hash != ir.XXH3 {
		return p.fail(w.Pos, fmt.Sprintf("remove %s or hash=%s", w.Text, p.spec.Hash),
			"writer %s has hash=%s and %s: the one puts a key into the channel where %s would have it, the other into either of two",
			p.spec.Name, p.spec.Hash, w.Text, titles[p.spec.Hash])
	}
	if w, ok := given["watermark"]; ok && !p.spec.EventTime.Given {
		return p.fail(w.Pos, "eventtime=Field "+w.Text, "%s of writer %s needs an event time", w.Text, p.spec.Name)
	}
	return true
}

// titles holds the names of hashes as they are written in prose.
var titles = [...]string{ir.XXH3: "XXH3", ir.Flink: "Flink", ir.Kafka: "Kafka"}

// noOption reports a word after the selection that is none of its options.
func (p *parser) noOption(w Word, name, value string) bool {
	hint := "remove it"
	if near := diag.Nearest(name, optionNames); near != "" {
		if value == "" {
			value = optionExamples[near]
		}
		hint = near + "=" + value
	} else if near := diag.Nearest(name, hashNames()); near != "" && len(name) > 1 {
		hint = "hash=" + near
	} else if p.spec.Kind == ir.Keyed {
		hint = "key=A,B for several fields, without spaces"
	}
	return p.fail(w.Pos, hint, "unexpected %q after the selection of writer %s", w.Text, p.spec.Name)
}

func hashNames() []string { return []string{ir.XXH3.String(), ir.Flink.String(), ir.Kafka.String()} }

func (p *parser) hash(w Word, value string) bool {
	i := slices.Index(hashNames(), value)
	if i < 0 {
		hint := "hash=xxh3 (the default), hash=flink or hash=kafka"
		if near := diag.Nearest(value, hashNames()); near != "" && value != "" {
			hint = "hash=" + near
		}
		return p.fail(w.Pos, hint, "unknown hash %q of writer %s", value, p.spec.Name)
	}
	p.spec.Hash, p.spec.HashAt = ir.XXH3+ir.Hash(i), w.Pos
	return p.needsKey(w)
}

func (p *parser) choices(w Word, value string) bool {
	if value != "2" {
		return p.fail(w.Pos, "choices=2, or without it", "%s of writer %s: a key may have two choices of a channel, no other number", w.Text, p.spec.Name)
	}
	p.spec.Choices = 2
	return p.needsKey(w)
}

// needsKey reports an option of keys on a selection that has none.
func (p *parser) needsKey(w Word) bool {
	if p.spec.Kind == ir.Keyed {
		return true
	}
	hint := "key=Field " + w.Text
	if p.spec.Choices > 0 && p.spec.Kind != ir.Load {
		hint += ", or load for records without a key"
	}
	return p.fail(w.Pos, hint, "%s of writer %s needs a key, which %s has not", w.Text, p.spec.Name, p.spec.Kind)
}

// Words cuts a text at its spaces. All words have the position of the text.
func Words(text string, pos token.Position) []Word {
	var words []Word
	for _, w := range strings.Fields(text) {
		words = append(words, Word{Text: w, Pos: pos})
	}
	return words
}
