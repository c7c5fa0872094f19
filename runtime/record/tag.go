package record

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Tag is what the rw key of a struct tag says.
type Tag struct {
	Skip   bool // rw:"-": the field is not part of the format
	Varint bool // rw:"varint"
}

// ParseTag reads the rw key of a struct tag. A tag without that key gives the zero Tag. An unknown value, the key twice, and a
// malformed tag in which the key may be hidden are errors. Other keys, and malformed tags that do not mention rw, are none of
// its business.
func ParseTag(tag string) (Tag, error) {
	value, found, err := lookupTag(tag)
	if err != nil {
		return Tag{}, err
	}
	if !found {
		return Tag{}, nil
	}
	switch value {
	case "-":
		return Tag{Skip: true}, nil
	case "varint":
		return Tag{Varint: true}, nil
	}
	return Tag{}, fmt.Errorf(`unknown tag rw:%q: known are rw:"-" and rw:"varint"`, value)
}

// lookupTag finds the rw key by the rules of reflect.StructTag, but where those silently stop at the first malformed pair,
// it says so if rw is, or may be, in what is left.
func lookupTag(tag string) (value string, found bool, err error) {
	for rest := strings.TrimLeft(tag, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, quoted, after, ok := cutPair(rest)
		if !ok {
			if mentionsRW(rest) {
				return "", false, fmt.Errorf("malformed struct tag `%s`", tag)
			}
			return value, found, nil
		}
		rest = after
		if key != "rw" {
			if strings.Trim(key, ",;") == "rw" { // keys are separated by spaces, not by these
				return "", false, fmt.Errorf("malformed struct tag `%s`", tag)
			}
			continue
		}
		if found {
			return "", false, errors.New("struct tag has the key rw twice")
		}
		if value, err = strconv.Unquote(quoted); err != nil {
			return "", false, fmt.Errorf("malformed struct tag `%s`", tag)
		}
		found = true
	}
	return value, found, nil
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
