package record

import (
	"fmt"
	"strings"
)

// Rules are how schemas of a format other than the native one become one another. A [Schema] that generated code returns brings those of its format along, so that programs hold no more than they use. Values of the type
// must be comparable, and any number of goroutines may use them.
type Rules interface {
	// Resolve is [Resolve] for two schemas of the format that differ, of which the writer's has no rules if it comes from elsewhere. refuseUnknown is [RefuseUnknown]. The Translator is nil if the reader can read the
	// writer's bytes as they are.
	Resolve(writer, reader Schema, refuseUnknown bool) (Translator, error)
}

// Translator translates payloads for a [Translation], whose methods it has.
type Translator interface {
	Put(dst, src []byte, limits Limits) (n, consumed int, err error)
}

// format returns what the text of a schema begins with: "rwgen/1" for the native format.
func (s Schema) format() string {
	format, _, _ := strings.Cut(s.Text, " ")
	return format
}

// foreign reports whether a schema is known to be of a format that is resolved by rules.
func (s Schema) foreign() bool { return s.Rules != nil || strings.HasPrefix(s.Text, "avro/") }

// resolveByRules is [Resolve] where one of the schemas is of a format that is resolved by rules; ok is false if neither is.
func resolveByRules(writer, reader Schema, opts []ResolveOption) (t *Translation, ok bool, err error) {
	if !writer.foreign() && !reader.foreign() {
		return nil, false, nil
	}
	w, r := writer.format(), reader.format()
	rules := reader.Rules
	switch {
	case w != r:
		return nil, true, formatError(fmt.Sprintf("the writer's format is %.40s, the reader's %.40s", w, r), "bytes of one format are not those of another", "generate both sides with the same format")
	case rules == nil:
		return nil, true, formatError(fmt.Sprintf("two schemas of the format %.40s", r), "the reader's has no rules for that", "take the reader's schema from its serializer")
	}
	var c schemaComparison
	for _, opt := range opts {
		if opt != nil {
			opt.applyResolve(&c)
		}
	}
	translator, err := rules.Resolve(writer, reader, c.unknown)
	if translator == nil || err != nil {
		return nil, true, err
	}
	return &Translation{other: translator}, true, nil
}

func formatError(what, why, remedy string) error {
	return &ResolveError{Writer: "the writer's record", Reader: "the reader's", Findings: []Incompatibility{{Path: "record", What: what, Why: why, Remedy: remedy}}}
}
