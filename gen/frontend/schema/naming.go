package schema

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are the words that Go writes in capitals, wherever they stand in a name.
var initialisms = []string{
	"ACL", "AMQP", "API", "ASCII", "CPU", "CSS", "DB", "DNS", "EOF", "GID", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP", "JSON", "QPS", "RAM", "RPC", "RTP", "SIP", "SLA", "SMTP",
	"SQL", "SSH", "TCP", "TLS", "TS", "TTL", "UDP", "UI", "UID", "URI", "URL", "UTF8", "UUID", "VM", "XML", "XMPP", "XSRF", "XSS",
}

// GoName returns the exported Go name for a name in a schema. Words begin at underscores, hyphens and dots, and where capitals do: quake_id, quakeId and quake-id are all QuakeID. A
// name of several words without any small letter, QUAKE_ID, is QuakeID as well; a single word in capitals, MD5, stays as it is. What does not begin with a letter that
// has a capital gets an X: 3d is X3d, 日本 is X日本.
func GoName(name string) string {
	words := splitWords(name)
	if len(words) > 1 && capitals(name) && strings.ContainsFunc(name, separates) {
		words = lowered(words)
	}
	return join(words)
}

// GoSymbol is [GoName] for a symbol of an enum, where a single word in capitals is no abbreviation: SPADES is Spades.
func GoSymbol(name string) string {
	words := splitWords(name)
	if capitals(name) {
		words = lowered(words)
	}
	return join(words)
}

// separates reports whether r stands between words.
func separates(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// capitals reports whether no letter of name is a small one.
func capitals(name string) bool { return !strings.ContainsFunc(name, unicode.IsLower) }

func lowered(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToLower(w)
	}
	return out
}

// splitWords cuts a name into words. Of several capitals in a row the last one begins a word if a small letter follows: HTTPServer is HTTP and Server.
func splitWords(name string) []string {
	var words []string
	for _, part := range strings.FieldsFunc(name, separates) {
		runes := []rune(part)
		start := 0
		for i := 1; i < len(runes); i++ {
			if !unicode.IsUpper(runes[i]) {
				continue
			}
			if !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
				words = append(words, string(runes[start:i]))
				start = i
			}
		}
		words = append(words, string(runes[start:]))
	}
	return words
}

// join makes a name of words.
func join(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(word(w))
	}
	name := b.String()
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		return "X" + name
	}
	return name
}

// word returns a word as a part of a name.
func word(w string) string {
	upper := strings.ToUpper(w)
	if _, ok := slices.BinarySearch(initialisms, upper); ok {
		return upper
	}
	if one, ok := strings.CutSuffix(upper, "S"); ok && len(w) > 2 && strings.HasSuffix(w, "s") {
		if _, ok := slices.BinarySearch(initialisms, one); ok {
			return one + "s" // ids: IDs
		}
	}
	first, size := utf8.DecodeRuneInString(w)
	return string(unicode.ToUpper(first)) + w[size:]
}
