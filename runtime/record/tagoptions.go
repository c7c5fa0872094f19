package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// option is an option of the rw tag.
type option struct {
	name  string
	value string // what stands for its value in messages, empty for an option without one
	set   func(t *Tag, value string) error
}

// options returns all options, in the order of messages.
func options() []option {
	return []option{
		{"name", "x", (*Tag).setName},
		{"alias", "a|b", (*Tag).setAliases},
		{"default", "v", func(t *Tag, v string) error { t.Default, t.HasDefault = v, true; return nil }},
		{"varint", "", func(t *Tag, _ string) error { t.Varint = true; return nil }},
		{"fixed", "", func(t *Tag, _ string) error { t.Fixed = true; return nil }},
		{"max", "N", (*Tag).setMax},
		{"utf8", "", func(t *Tag, _ string) error { t.UTF8 = true; return nil }},
		{"sorted", "", func(t *Tag, _ string) error { t.Sorted = true; return nil }},
		{"unixnano", "", func(t *Tag, _ string) error { t.UnixNano = true; return nil }},
		{"intern", "", func(t *Tag, _ string) error { t.Intern = true; return nil }},
		{"view", "", func(t *Tag, _ string) error { t.View = true; return nil }},
	}
}

const leaveOut = `rw:"-" leaves the field out`

func parseOptions(value string) (Tag, error) {
	switch value {
	case "-":
		return Tag{Skip: true}, nil
	case "":
		return Tag{}, &TagError{Reason: `empty tag rw:""`, Hint: "remove it, or " + leaveOut}
	}
	var t Tag
	var seen []string
	for rest, more := value, true; more; {
		var word, name, v string
		var hasValue bool
		var err error
		if word, rest, more, err = cutOption(rest); err != nil {
			return Tag{}, err
		}
		if name, v, hasValue = strings.Cut(word, "="); hasValue {
			if v, err = unquote(word, v); err != nil {
				return Tag{}, err
			}
		}
		all := options()
		i := slices.IndexFunc(all, func(o option) bool { return o.name == name })
		if i < 0 {
			return Tag{}, unknownOption(word, name, all)
		}
		o := all[i]
		switch {
		case slices.Contains(seen, name):
			return Tag{}, &TagError{Option: word, Reason: "option " + name + " twice", Hint: "keep one of them"}
		case hasValue && o.value == "":
			return Tag{}, &TagError{Option: word, Reason: "option " + name + " takes no value", Hint: "write " + name}
		case !hasValue && o.value != "":
			return Tag{}, &TagError{Option: word, Reason: "option " + name + " needs a value", Hint: "write " + name + "=" + o.value}
		}
		seen = append(seen, name)
		if err := o.set(&t, v); err != nil {
			err.(*TagError).Option = word
			return Tag{}, err
		}
	}
	return t, t.conflicts()
}

// cutOption cuts the first option off a list. more says that a comma came after it.
func cutOption(list string) (word, rest string, more bool, err error) {
	quoted := false
	for i := 0; i < len(list); i++ {
		switch {
		case list[i] == '\'':
			quoted = !quoted // two in a row close and open again
		case list[i] == ',' && !quoted:
			return list[:i], list[i+1:], true, nil
		}
	}
	if quoted {
		return "", "", false, &TagError{Option: list, Reason: "no closing quote in " + strconv.Quote(list), Hint: "close it with ', and write '' for a quote in a value"}
	}
	return list, "", false, nil
}

// unquote takes the quotes off a value.
func unquote(word, v string) (string, error) {
	if !strings.Contains(v, "'") {
		return v, nil
	}
	if len(v) >= 2 && v[0] == '\'' && v[len(v)-1] == '\'' {
		if inner := v[1 : len(v)-1]; !strings.Contains(strings.ReplaceAll(inner, "''", ""), "'") {
			return strings.ReplaceAll(inner, "''", "'"), nil
		}
	}
	return "", &TagError{Option: word, Reason: "misplaced quote in " + strconv.Quote(word), Hint: "quote the whole value, and write '' for a quote in it"}
}

func unknownOption(word, name string, all []option) error {
	e := &TagError{Option: word, Reason: fmt.Sprintf("unknown option %q in the rw tag", word)}
	trimmed := strings.TrimSpace(name)
	switch strings.ToLower(trimmed) {
	case "-":
		e.Reason, e.Hint = `"-" in the rw tag with other options`, leaveOut+" if it stands alone"
		if name != "-" {
			e.Hint = leaveOut + ", without spaces"
		}
		return e
	case "":
		e.Reason, e.Hint = "empty option in the rw tag", "remove a comma"
		return e
	case "omit", "ignore", "skip", "omitempty":
		e.Hint = leaveOut
		return e
	}
	best, distance := "", 3
	for _, o := range all {
		if o.name == trimmed {
			e.Hint = "write " + o.name + " without spaces"
			return e
		}
		if d := editDistance(strings.ToLower(trimmed), o.name); d < distance && d < len(o.name)-1 {
			best, distance = o.name, d
		}
	}
	if best != "" {
		e.Hint = "did you mean " + best + "?"
		return e
	}
	names := make([]string, len(all))
	for i, o := range all {
		names[i] = o.name
	}
	e.Hint = "known are - alone, and " + strings.Join(names, ", ")
	return e
}

// editDistance returns how many bytes must be put in, left out or exchanged to make b from a.
func editDistance(a, b string) int {
	if len(a) > 2*len(b)+8 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func (t *Tag) setName(v string) error {
	if !isIdentifier(v) {
		return &TagError{Reason: fmt.Sprintf("name %q is no Go identifier", v), Hint: "letters, digits and _, not a digit first"}
	}
	t.Name = v
	return nil
}

func (t *Tag) setAliases(v string) error {
	for name := range strings.SplitSeq(v, "|") {
		if !isIdentifier(name) {
			return &TagError{Reason: fmt.Sprintf("alias %q is no Go identifier", name), Hint: "several are separated by |"}
		}
		if slices.Contains(t.Aliases, name) {
			return &TagError{Reason: "alias " + name + " twice", Hint: "keep one of them"}
		}
		t.Aliases = append(t.Aliases, name)
	}
	return nil
}

func (t *Tag) setMax(v string) error {
	n, err := strconv.ParseInt(v, 10, 32)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != v {
		return &TagError{Reason: fmt.Sprintf("max %q is no number from 1 to 2147483647", v)}
	}
	t.Max = int(n)
	return nil
}

// conflicts returns the error for options that exclude each other.
func (t *Tag) conflicts() error {
	switch {
	case t.Varint && t.Fixed:
		return &TagError{Option: "fixed", Reason: "varint and fixed exclude each other", Hint: "keep one of them; fixed is the default"}
	case t.Intern && t.View:
		return &TagError{Option: "view", Reason: "intern and view exclude each other", Hint: "keep one of them"}
	case t.Name != "" && slices.Contains(t.Aliases, t.Name):
		return &TagError{Option: "alias", Reason: "alias " + t.Name + " is the name", Hint: "remove it"}
	}
	return nil
}

// isIdentifier reports whether s is a Go identifier other than the blank one.
func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != "" && s != "_"
}
