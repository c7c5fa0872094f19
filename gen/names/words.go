package names

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Upper returns name with its first letter in upper case.
func Upper(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}

// Lower returns name in the form of a local variable: the first word in lower case, where a word is one capital with what
// follows, or a run of capitals such as an initialism: Origin → origin, ID → id, URLPath → urlPath.
func Lower(name string) string {
	runes := []rune(name)
	n := 0
	for n < len(runes) && unicode.IsUpper(runes[n]) {
		n++
	}
	if n > 1 && n < len(runes) && unicode.IsLower(runes[n]) && !plural(runes[n:]) {
		n-- // the last capital starts the next word
	}
	for i := range n {
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// plural says that what follows an initialism is only its plural: IDs, URLs.
func plural(rest []rune) bool { return len(rest) == 1 && rest[0] == 's' }

// Package returns a usable package name made from one element of an import path: its letters and digits in lower case.
// It may return "".
func Package(element string) string {
	s := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, element)
	return strings.TrimLeftFunc(s, unicode.IsDigit)
}

// like returns name exported if model is, and unexported otherwise.
func like(model, name string) string {
	if token.IsExported(model) {
		return Upper(name)
	}
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}
