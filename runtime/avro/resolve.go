package avro

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/runtime/record"
)

// TextPrefix is what the texts of schemas begin with. The Parsing Canonical Form with logical types follows, behind [SingleObjectPrefix] if records have the header of the single-object encoding.
const (
	TextPrefix         = "avro/1 "
	SingleObjectPrefix = "single-object "
)

// Rules are those of [record.Rules] for schemas of this format: the resolution of Avro's specification, field by field, with the aliases and defaults of the reader's schema. Beyond the specification, two logical types at one place must be
// the same one: a number of milliseconds is not one of microseconds. One without a logical type has the other's.
type Rules struct {
	// Strict refuses schemas where the reader lacks a symbol of an enum, which has no default, or a branch of a union. Otherwise that is an error of the records that have a
	// value of it, as the specification has it: strict rules are for comparing versions of a schema.
	Strict bool
}

// Resolve implements [record.Rules]. The error is a [record.ResolveError] that names each field, or says what is wrong with one of the schemas.
func (rules Rules) Resolve(writer, reader record.Schema, refuseUnknown bool) (record.Translator, error) {
	w, wsingle, err := readText(writer.Text, "")
	if err != nil {
		return nil, fmt.Errorf("avro: the writer's schema: %w", err)
	}
	r, rsingle, err := readText(reader.Text, reader.Reading)
	if err != nil {
		return nil, fmt.Errorf("avro: the reader's schema: %w", err)
	}
	c := resolver{pairs: map[[2]*schema]*translation{}, skips: map[*schema]*translation{}, failed: map[[2]*schema]record.Incompatibility{}, refuseUnknown: refuseUnknown,
		strict: rules.Strict || refuseUnknown}
	root := c.resolve(w, r, shortName(r.name))
	if len(c.findings) > 0 {
		return nil, &record.ResolveError{Writer: w.name, Reader: r.name, Findings: c.findings}
	}
	t := &Translation{root: root}
	if wsingle {
		t.wanted = true
		t.want = w.fingerprint()
	}
	if rsingle {
		t.header = make([]byte, HeaderLen)
		PutHeader(t.header, r.fingerprint())
	}
	return t, nil
}

// readText reads the text of a schema, or what a reader has for it.
func readText(text, reading string) (s *schema, single bool, err error) {
	text, ok := strings.CutPrefix(text, TextPrefix)
	if !ok {
		return nil, false, fmt.Errorf("no schema of the format %s", strings.TrimSpace(TextPrefix))
	}
	text, single = strings.CutPrefix(text, SingleObjectPrefix)
	if reading != "" {
		text = reading
	}
	s, err = parseSchema(text)
	return s, single, err
}

// action is what a translation does.
type action int

const (
	doNothing    action = iota
	doBytes             // copies size bytes
	doBoolean           // copies a byte that is 0 or 1
	doInt               // copies a number
	doLong              // copies a number
	doText              // copies a string or bytes
	doIntToFloat        // and the other promotions that change bytes
	doIntToDouble
	doLongToFloat
	doLongToDouble
	doFloatToDouble
	doEnum    // has symbols
	doRecord  // has parts
	doReorder // has parts, and fields of the writer in offsets
	doArray
	doMap
	doUnion  // has branches of the writer
	doBranch // writes a branch of the reader, and what follows
	doFail   // is the error of a value that the reader has nothing for
)

// translation is how values of a writer's type become those of a reader's, or are skipped.
type translation struct {
	action action
	size   int
	// recursive says that values may hold others of the same translation: each is a level.
	recursive bool
	skip      bool     // nothing is written
	empty     bool     // a value of the writer may take no bytes
	symbols   []int    // by the writer's; -1: the reader has none
	unknown   []string // the writer's symbols, if the reader lacks any
	parts     []part
	fields    []*translation // of a reordered record: what skips the writer's fields
	elem      *translation
	branches  []*translation
	branch    []byte // the index of the reader's
	name      string // for errors
}

// part is a step of a record: a field of the writer, or what the reader has in its place.
type part struct {
	name    string
	t       *translation // nil: constant is written
	from    int          // of a reordered record: the writer's field
	literal []byte
}

// resolver finds out how one schema becomes another.
type resolver struct {
	pairs         map[[2]*schema]*translation
	failed        map[[2]*schema]record.Incompatibility
	skips         map[*schema]*translation
	findings      []record.Incompatibility
	defaults      defaults
	refuseUnknown bool
	strict        bool
}

// open is the name of a translation that is being made: to meet it again says that it holds itself.
const open = "\x00"

func shortName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func (c *resolver) refuse(path, what, why, remedy string) *translation {
	c.findings = append(c.findings, record.Incompatibility{Path: path, What: what, Why: why, Remedy: remedy})
	return &translation{action: doFail, name: what}
}

// describe returns a type for people.
func (s *schema) describe() string {
	text := s.kind.String()
	if s.name != "" {
		text += " " + s.name
	}
	if s.logical != "" {
		text += " (" + s.logical + ")"
	}
	return text
}

// resolve returns how values of w become those of r. Where they do not fit there are findings, and the translation fails.
func (c *resolver) resolve(w, r *schema, path string) *translation {
	pair := [2]*schema{w, r}
	if t := c.pairs[pair]; t != nil {
		t.recursive = t.recursive || t.name == open
		if t.action == doFail { // found out in a place where it was no fault
			again := c.failed[pair]
			again.Path = path
			c.findings = append(c.findings, again)
		}
		return t
	}
	t := &translation{name: open}
	c.pairs[pair] = t
	before := len(c.findings)
	made := c.make(w, r, path)
	if len(c.findings) > before {
		made = &translation{action: doFail, name: c.findings[before].What}
		c.failed[pair] = c.findings[before]
	}
	made.recursive, made.empty = t.recursive, w.mayBeEmpty()
	*t = *made
	return t
}

// mayBeEmpty says that there are values of s that take no bytes; then all take none.
func (s *schema) mayBeEmpty() bool {
	switch s.kind {
	case kindNull:
		return true
	case kindFixed:
		return s.size == 0
	case kindRecord:
		return s.empty
	}
	return false
}

// sameName says that a named type of the writer is that of the reader: by its last part, as the specification has it, or by an alias.
func sameName(w, r *schema) bool {
	return shortName(w.name) == shortName(r.name) || slices.Contains(r.aliases, w.name)
}

func (c *resolver) make(w, r *schema, path string) *translation {
	switch {
	case w.kind == kindUnion:
		return c.union(w, r, path)
	case r.kind == kindUnion:
		return c.intoUnion(w, r, path)
	case w.logical != "" && r.logical != "" && w.logical != r.logical:
		return c.refuse(path, fmt.Sprintf("%s became %s", w.logical, r.logical), "the same numbers mean something else", "add a field of another name")
	case w.kind != r.kind:
		return c.promote(w, r, path)
	}
	switch w.kind {
	case kindNull:
		return &translation{}
	case kindBoolean:
		return &translation{action: doBoolean}
	case kindInt:
		return &translation{action: doInt}
	case kindLong:
		return &translation{action: doLong}
	case kindFloat:
		return &translation{action: doBytes, size: 4}
	case kindDouble:
		return &translation{action: doBytes, size: 8}
	case kindBytes, kindString:
		return &translation{action: doText}
	case kindArray:
		return &translation{action: doArray, elem: c.resolve(w.elem, r.elem, path+"[]")}
	case kindMap:
		return &translation{action: doMap, elem: c.resolve(w.elem, r.elem, path+"[]")}
	}
	if !sameName(w, r) {
		return c.refuse(path, fmt.Sprintf("%s became %s", w.describe(), r.describe()), "it has another name", "give the reader's the alias "+w.name)
	}
	switch w.kind {
	case kindFixed:
		if w.size != r.size {
			return c.refuse(path, fmt.Sprintf("a fixed of %d bytes became one of %d", w.size, r.size), "a fixed has one size", "add a field of another name")
		}
		return &translation{action: doBytes, size: w.size}
	case kindEnum:
		return c.enum(w, r, path)
	}
	return c.record(w, r, path)
}

// promote resolves two types of different kinds.
func (c *resolver) promote(w, r *schema, path string) *translation {
	switch [2]kind{w.kind, r.kind} {
	case [2]kind{kindInt, kindLong}:
		return &translation{action: doInt}
	case [2]kind{kindInt, kindFloat}:
		return &translation{action: doIntToFloat}
	case [2]kind{kindInt, kindDouble}:
		return &translation{action: doIntToDouble}
	case [2]kind{kindLong, kindFloat}:
		return &translation{action: doLongToFloat}
	case [2]kind{kindLong, kindDouble}:
		return &translation{action: doLongToDouble}
	case [2]kind{kindFloat, kindDouble}:
		return &translation{action: doFloatToDouble}
	case [2]kind{kindString, kindBytes}, [2]kind{kindBytes, kindString}:
		return &translation{action: doText}
	}
	return c.refuse(path, fmt.Sprintf("%s became %s", w.describe(), r.describe()), "no promotion leads there", "add a field of another name, or make it a union of both")
}

func (c *resolver) enum(w, r *schema, path string) *translation {
	t := &translation{action: doEnum, name: r.describe()}
	fallback := slices.Index(r.symbols, r.fallback)
	for _, s := range w.symbols {
		i := slices.Index(r.symbols, s)
		if i < 0 {
			i = fallback
			switch {
			case c.refuseUnknown || c.strict && i < 0:
				return c.refuse(path, "the writer has a symbol "+s, "the reader lacks it", "add it to the reader's, or give the enum a default")
			case i < 0:
				t.unknown = w.symbols
			}
		}
		t.symbols = append(t.symbols, i)
	}
	return t
}

// union resolves a union of the writer: each branch by itself. That the reader has nothing for one of several is an error of the records that have a value of it.
func (c *resolver) union(w, r *schema, path string) *translation {
	t := &translation{action: doUnion}
	any := false
	before := len(c.findings)
	var missing []record.Incompatibility
	for _, b := range w.branches {
		bt := c.resolve(b, r, path)
		if len(c.findings) > before || bt.action == doFail {
			missing = append(missing, c.findings[before:]...)
			c.findings = c.findings[:before]
			bt = &translation{action: doFail, name: b.describe()}
		} else {
			any = true
		}
		t.branches = append(t.branches, bt)
	}
	if !any || c.strict && len(missing) > 0 {
		c.findings = append(c.findings, missing...)
		if len(missing) == 0 {
			return c.refuse(path, "a union became "+r.describe(), "none of its types fits", "make it a union of all")
		}
	}
	return t
}

// intoUnion resolves a type of the writer that is no union with a union of the reader: to the branch of the same type and name, else to the first one that fits.
func (c *resolver) intoUnion(w, r *schema, path string) *translation {
	order := make([]int, 0, 2*len(r.branches))
	for i, b := range r.branches {
		if b.kind == w.kind && b.logical == w.logical && b.name == w.name {
			order = append(order, i)
		}
	}
	for i, b := range r.branches {
		if b.kind == w.kind && (w.name == "" || sameName(w, b)) {
			order = append(order, i)
		}
	}
	for i := range r.branches {
		order = append(order, i)
	}
	var same []record.Incompatibility // with the branch of the same name: it is what is wrong
	for _, i := range order {
		b := r.branches[i]
		before := len(c.findings)
		t := c.resolve(w, b, path+"("+shortName(b.describe())+")")
		found := slices.Clone(c.findings[before:])
		c.findings = c.findings[:before]
		if len(found) == 0 && t.action != doFail {
			return &translation{action: doBranch, branch: appendLong(nil, int64(i)), elem: t}
		}
		if w.name != "" && b.kind == w.kind && sameName(w, b) && same == nil {
			same = found
		}
	}
	if len(same) > 0 {
		c.findings = append(c.findings, same...)
		return &translation{action: doFail, name: same[0].What}
	}
	return c.refuse(path, w.describe()+" became a union", "none of its types fits", "add the type to the union")
}

func (c *resolver) record(w, r *schema, path string) *translation {
	t := &translation{action: doRecord}
	from := make([]int, len(r.fields)) // the writer's field, -1 for none
	used := make([]bool, len(w.fields))
	for i, rf := range r.fields {
		from[i] = slices.IndexFunc(w.fields, func(wf field) bool { return wf.name == rf.name })
		if from[i] >= 0 {
			used[from[i]] = true
		}
	}
	for i, rf := range r.fields {
		if from[i] >= 0 {
			continue
		}
		from[i] = slices.IndexFunc(w.fields, func(wf field) bool { return slices.Contains(rf.aliases, wf.name) })
		if from[i] >= 0 && used[from[i]] {
			from[i] = -1
		}
		if from[i] >= 0 {
			used[from[i]] = true
		}
	}
	next, ordered := 0, true
	for i, rf := range r.fields {
		at := path + "." + rf.name
		k := from[i]
		if k < 0 {
			t.parts = append(t.parts, c.missing(rf, at))
			continue
		}
		if k < next {
			ordered = false
		}
		next = k + 1
		t.parts = append(t.parts, part{name: rf.name, from: k, t: c.resolve(w.fields[k].typ, rf.typ, at)})
	}
	for i, wf := range w.fields {
		t.fields = append(t.fields, c.skip(wf.typ))
		if !used[i] && c.refuseUnknown {
			c.refuse(path+"."+wf.name, "the writer has a field that the reader lacks", "it would be lost", "add it to the reader's")
		}
	}
	if !ordered {
		t.action = doReorder
		return t
	}
	// In the order of the writer, with what it skips.
	var steps []part
	next = 0
	skipTo := func(k int) {
		for ; next < k; next++ {
			steps = append(steps, part{name: w.fields[next].name, t: t.fields[next]})
		}
	}
	for i, p := range t.parts {
		if from[i] >= 0 {
			skipTo(from[i])
			next++
		}
		steps = append(steps, p)
	}
	skipTo(len(w.fields))
	t.parts, t.fields = steps, nil
	return t
}

// missing returns the step for a field that only the reader has.
func (c *resolver) missing(f field, path string) part {
	if f.fallback == nil {
		c.refuse(path, "the writer has no such field", "it has no default", "give it a default")
		return part{name: f.name}
	}
	b, err := c.defaults.append(nil, f.typ, f.fallback)
	if err != nil {
		c.refuse(path, "the writer has no such field", "its default is wrong: "+err.Error(), "correct the default")
	}
	return part{name: f.name, literal: b}
}

// skip returns how a value of the writer is skipped.
func (c *resolver) skip(w *schema) *translation {
	if t := c.skips[w]; t != nil {
		t.recursive = t.recursive || t.name == open
		return t
	}
	t := &translation{name: open, skip: true}
	c.skips[w] = t
	made := translation{skip: true}
	if w.mayBeEmpty() {
		// There is nothing to skip, though the parts may be many: each record may hold the next one several times.
		made.empty = true
		*t = made
		return t
	}
	switch w.kind {
	case kindBoolean:
		made.action = doBoolean
	case kindInt:
		made.action = doInt
	case kindLong:
		made.action = doLong
	case kindFloat:
		made.action, made.size = doBytes, 4
	case kindDouble:
		made.action, made.size = doBytes, 8
	case kindFixed:
		made.action, made.size = doBytes, w.size
	case kindBytes, kindString:
		made.action = doText
	case kindEnum:
		made.action, made.name = doEnum, w.describe()
		made.symbols = make([]int, len(w.symbols))
	case kindArray, kindMap:
		made.action = doArray
		if w.kind == kindMap {
			made.action = doMap
		}
		made.elem = c.skip(w.elem)
	case kindUnion:
		made.action = doUnion
		for _, b := range w.branches {
			made.branches = append(made.branches, c.skip(b))
		}
	case kindRecord:
		made.action = doRecord
		for _, f := range w.fields {
			made.parts = append(made.parts, part{name: f.name, t: c.skip(f.typ)})
		}
	}
	made.recursive, made.empty = t.recursive, w.mayBeEmpty()
	*t = made
	return t
}
