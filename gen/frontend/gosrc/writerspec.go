package gosrc

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// writerSpec is one writer as asked for by a directive or a flag, its key and function not yet looked up.
type writerSpec struct {
	name    string
	kind    ir.WriterKind
	value   string // after "=", for key and custom
	hash    ir.Hash
	choices int            // 2, or 0 if not given
	pos     token.Position // of the directive; for a flag that of the record
	at      token.Position // of the selection
	hashAt  token.Position // of hash=, if given
	flag    string         // the flag's text, "" for a directive

	eventTime timeSpec
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

// specParser reads the words after //rwgen:writer.
type specParser struct {
	spec writerSpec
	diag *diag.Diagnostic // the first one
}

// fail notes what is wrong, and returns false.
func (p *specParser) fail(pos token.Position, hint, format string, a ...any) bool {
	p.diag = &diag.Diagnostic{Pos: pos, Category: diag.Directive, Message: fmt.Sprintf(format, a...), Hint: hint}
	return false
}

// parseWriter reads the words after //rwgen:writer: a name, a selection, and options of it.
func parseWriter(args []word, pos token.Position) (writerSpec, *diag.Diagnostic) {
	p := &specParser{spec: writerSpec{pos: pos}}
	if len(args) == 0 {
		p.fail(pos, writerForm, "a writer needs a name and a selection")
	} else if p.name(args[0]) && p.selection(args[1:]) {
		p.options(args[2:])
	}
	return p.spec, p.diag
}

func (p *specParser) name(w word) bool {
	p.spec.name = w.text
	if first, size := utf8.DecodeRuneInString(w.text); !token.IsIdentifier(w.text) || !unicode.IsUpper(first) {
		hint := writerForm
		if token.IsIdentifier(w.text) && unicode.IsLower(first) {
			hint = string(unicode.ToUpper(first)) + w.text[size:]
		}
		return p.fail(w.pos, hint, "%q is no name for a writer: it must be an identifier with an upper-case first letter", w.text)
	}
	return true
}

// selection reads the first of the words after the name.
func (p *specParser) selection(args []word) bool {
	name := p.spec.name
	if len(args) == 0 {
		return p.fail(p.spec.pos, writerForm, "writer %s needs a selection", name)
	}
	at := args[0]
	selection, value, hasValue := strings.Cut(at.text, "=")
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
		return p.fail(at.pos, hint, "unknown selection %q of writer %s", selection, name)
	}
	p.spec.kind, p.spec.value, p.spec.at = ir.Keyed+ir.WriterKind(i), value, at.pos
	switch p.spec.kind {
	case ir.Keyed:
		if value == "" {
			return p.fail(at.pos, "key=Field", "the selection of writer %s needs a field after key=", name)
		}
	case ir.Custom:
		if value == "" {
			return p.fail(at.pos, "custom=Func", "the selection of writer %s needs a function after custom=", name)
		}
	default:
		if hasValue {
			return p.fail(at.pos, selection, "the selection %s of writer %s takes no value", selection, name)
		}
	}
	return true
}

// optionNames lists the options of a writer. They are written name=value, after the selection. hash and choices belong to a key.
var optionNames = []string{"hash", "choices", "eventtime", "watermark"}

// optionExamples holds a value of each option.
var optionExamples = map[string]string{"hash": "xxh3", "choices": "2", "eventtime": "Field", "watermark": "bounded:5s"}

// optionFirst reports an option where a selection should be, followed by other words.
func (p *specParser) optionFirst(args []word) bool {
	option := args[0]
	name, value, _ := strings.Cut(option.text, "=")
	if name == "hash" && value != "" && !slices.Contains(hashNames(), value) {
		return p.fail(option.pos, "key="+value, "writer %s needs a selection before the name of a hash, and %q is none", p.spec.name, value)
	}
	if len(args) == 1 {
		return p.fail(option.pos, "key=Field "+option.text, "writer %s needs a selection before %s", p.spec.name, option.text)
	}
	return p.fail(option.pos, args[1].text+" "+option.text, "%s of writer %s stands before the selection", option.text, p.spec.name)
}

// options reads the words after the selection.
func (p *specParser) options(args []word) bool {
	given := map[string]word{}
	for _, w := range args {
		name, value, isOption := strings.Cut(w.text, "=")
		if !isOption || !slices.Contains(optionNames, name) {
			return p.noOption(w, name, value)
		}
		if _, twice := given[name]; twice {
			return p.fail(w.pos, "remove one of them", "the option %s of writer %s stands here twice", name, p.spec.name)
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
	if w, ok := given["choices"]; ok && p.spec.hash != ir.XXH3 {
		return p.fail(w.pos, fmt.Sprintf("remove %s or hash=%s", w.text, p.spec.hash),
			"writer %s has hash=%s and %s: the one puts a key into the channel where %s would have it, the other into either of two",
			p.spec.name, p.spec.hash, w.text, titles[p.spec.hash])
	}
	if w, ok := given["watermark"]; ok && !p.spec.eventTime.given {
		return p.fail(w.pos, "eventtime=Field "+w.text, "%s of writer %s needs an event time", w.text, p.spec.name)
	}
	return true
}

// titles holds the names of hashes as they are written in prose.
var titles = [...]string{ir.XXH3: "XXH3", ir.Flink: "Flink", ir.Kafka: "Kafka"}

// noOption reports a word after the selection that is none of its options.
func (p *specParser) noOption(w word, name, value string) bool {
	hint := "remove it"
	if near := diag.Nearest(name, optionNames); near != "" {
		if value == "" {
			value = optionExamples[near]
		}
		hint = near + "=" + value
	} else if near := diag.Nearest(name, hashNames()); near != "" && len(name) > 1 {
		hint = "hash=" + near
	} else if p.spec.kind == ir.Keyed {
		hint = "key=A,B for several fields, without spaces"
	}
	return p.fail(w.pos, hint, "unexpected %q after the selection of writer %s", w.text, p.spec.name)
}

func hashNames() []string { return []string{ir.XXH3.String(), ir.Flink.String(), ir.Kafka.String()} }

func (p *specParser) hash(w word, value string) bool {
	i := slices.Index(hashNames(), value)
	if i < 0 {
		hint := "hash=xxh3 (the default), hash=flink or hash=kafka"
		if near := diag.Nearest(value, hashNames()); near != "" && value != "" {
			hint = "hash=" + near
		}
		return p.fail(w.pos, hint, "unknown hash %q of writer %s", value, p.spec.name)
	}
	p.spec.hash, p.spec.hashAt = ir.XXH3+ir.Hash(i), w.pos
	return p.needsKey(w)
}

func (p *specParser) choices(w word, value string) bool {
	if value != "2" {
		return p.fail(w.pos, "choices=2, or without it", "%s of writer %s: a key may have two choices of a channel, no other number", w.text, p.spec.name)
	}
	p.spec.choices = 2
	return p.needsKey(w)
}

// needsKey reports an option of keys on a selection that has none.
func (p *specParser) needsKey(w word) bool {
	if p.spec.kind == ir.Keyed {
		return true
	}
	hint := "key=Field " + w.text
	if p.spec.choices > 0 && p.spec.kind != ir.Load {
		hint += ", or load for records without a key"
	}
	return p.fail(w.pos, hint, "%s of writer %s needs a key, which %s has not", w.text, p.spec.name, p.spec.kind)
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
