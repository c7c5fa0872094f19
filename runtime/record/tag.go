package record

import (
	"strconv"
	"strings"
)

// Tag is what the rw key of a struct tag says about a field. The zero Tag says nothing.
type Tag struct {
	Skip bool // rw:"-": the field is not part of the format; nothing else is set
	// Name is the name of the field in the schema, empty for its Go name.
	Name string
	// Aliases are names that the field had in earlier schemas.
	Aliases []string
	// Default is what a reader sets the field to if the writer's schema does not have it; HasDefault tells an empty one from none.
	Default    string
	HasDefault bool
	Varint     bool
	Fixed      bool // the default, said aloud
	Max        int  // most bytes or elements, 0 for no limit
	UTF8       bool
	Sorted     bool
	UnixNano   bool
	Intern     bool
	View       bool
}

// TagError says what is wrong with the tag of a field.
type TagError struct {
	Option string // the option that is wrong, as written; empty if it is the tag as a whole
	Reason string // what is wrong
	Hint   string // what to write instead, empty if there is nothing to suggest
}

// Error returns reason and hint on one line.
func (e *TagError) Error() string {
	if e.Hint == "" {
		return e.Reason
	}
	return e.Reason + ": " + e.Hint
}

// ParseTag reads the rw key of a struct tag: options separated by commas, each a word or key=value. A value in single quotes may hold
// commas; two single quotes in it stand for one. A tag without that key gives the zero Tag. The error is a [TagError] for an unknown option or
// value, for options that exclude each other, for an option or the key twice, and for a malformed tag in which the key may be hidden. Other keys, and
// malformed tags that do not mention rw, are none of its business.
//
// Whether the options apply to the type of the field is up to [Tag.Check].
func ParseTag(tag string) (Tag, error) {
	value, found, err := lookupTag(tag)
	if err != nil || !found {
		return Tag{}, err
	}
	t, err := parseOptions(value)
	if err != nil {
		return Tag{}, err
	}
	return t, nil
}

// lookupTag finds the rw key by the rules of reflect.StructTag, but where those silently stop at the first malformed pair,
// it says so if rw is, or may be, in what is left.
func lookupTag(tag string) (value string, found bool, err error) {
	for rest := strings.TrimLeft(tag, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, quoted, after, ok := cutPair(rest)
		if !ok {
			if mentionsRW(rest) {
				return "", false, malformed(tag)
			}
			return value, found, nil
		}
		rest = after
		if key != "rw" {
			if strings.Trim(key, ",;") == "rw" { // keys are separated by spaces, not by these
				return "", false, malformed(tag)
			}
			continue
		}
		if found {
			return "", false, &TagError{Reason: "struct tag has the key rw twice", Hint: "put all options into one, separated by commas"}
		}
		if value, err = strconv.Unquote(quoted); err != nil {
			return "", false, malformed(tag)
		}
		found = true
	}
	return value, found, nil
}

func malformed(tag string) error {
	return &TagError{Reason: "malformed struct tag `" + tag + "`", Hint: `a tag is key:"value" key:"value", separated by spaces`}
}

// cutPair cuts the first key:"value" off a tag. The value keeps its quotes.
func cutPair(tag string) (key, quoted, rest string, ok bool) {
	i := strings.IndexFunc(tag, func(r rune) bool { return r <= ' ' || r == ':' || r == '"' || r == 0x7f })
	if i <= 0 || !strings.HasPrefix(tag[i:], `:"`) {
		return "", "", "", false
	}
	key, tag = tag[:i], tag[i+1:]
	for j := 1; j < len(tag); j++ {
		switch tag[j] {
		case '\\':
			j++
		case '"':
			return key, tag[:j+1], tag[j+1:], true
		}
	}
	return "", "", "", false
}

// mentionsRW reports whether rw stands in s as a word of its own.
func mentionsRW(s string) bool {
	for i := 0; ; {
		j := strings.Index(s[i:], "rw")
		if j < 0 {
			return false
		}
		i += j
		if (i == 0 || !isWord(s[i-1])) && (i+2 == len(s) || !isWord(s[i+2])) {
			return true
		}
		i += 2
	}
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
