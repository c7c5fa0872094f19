package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
)

// The formats whose schemas say no more than what the record is called. Their bytes are read by code that knows more, and which is free to read those of other versions.
const (
	FormatProtobuf = "protobuf" // with the full name of the message, "org.usgs.Quake"
	FormatBinary   = "binary"   // with the import path and name of the Go type, "example.com/quakes.Quake"
)

// NamedSchema returns the schema of a record of [FormatProtobuf] or [FormatBinary]: "protobuf/1 org.usgs.Quake". A reader of such a schema reads records of the same format and name, whatever the version of the
// code that wrote them, and no others: see [Resolve].
//
// It panics if the format is another one, or if the name is empty or has spaces in it.
func NamedSchema(format, name string) Schema {
	text := format + "/1 " + name
	if err := checkNamed(text); err != nil {
		panic("record: schema of " + name + ": " + err.Error())
	}
	sum := sha256.Sum256([]byte(text))
	return Schema{Text: text, Fingerprint: binary.BigEndian.Uint64(sum[:8])}
}

// CheckSchema reports what is wrong with the text of a schema, of whatever format. The text may come from anywhere. Of Avro, whose [Rules] know more, it looks at the beginning and at the length.
func CheckSchema(text string) error {
	if rest, ok := strings.CutPrefix(text, "avro/1 "); ok {
		if rest == "" || len(text) > maxSchemaText || strings.ContainsFunc(rest, unicode.IsControl) {
			return fmt.Errorf("record: schema of Avro of %d bytes, or with control characters", len(rest))
		}
		return nil
	}
	if _, _, ok := splitNamed(text); ok {
		if err := checkNamed(text); err != nil {
			return fmt.Errorf("record: schema: %w", err)
		}
		return nil
	}
	_, _, err := ParseSchema(text)
	return err
}

// splitNamed takes the text of a schema apart that says no more than a name.
func splitNamed(text string) (format, name string, ok bool) {
	format, name, _ = strings.Cut(text, "/1 ")
	return format, name, format == FormatProtobuf || format == FormatBinary
}

// checkNamed says what is wrong with such a text.
func checkNamed(text string) error {
	format, name, ok := splitNamed(text)
	switch {
	case !ok:
		return fmt.Errorf("%.100q is no format of records that are known by a name", format)
	case name == "" || len(text) > maxSchemaText:
		return fmt.Errorf("a name of %d bytes", len(name))
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }):
		return fmt.Errorf("%.100q is no name", name)
	}
	return nil
}

// resolveNamed is [Resolve] if one of two different schemas says no more than a name: they do not fit together then. ok is false if neither does.
func resolveNamed(writer, reader Schema) (ok bool, err error) {
	wformat, wname, w := splitNamed(writer.Text)
	rformat, rname, r := splitNamed(reader.Text)
	if !w && !r {
		return false, nil
	}
	for _, s := range []struct{ whose, text string }{{"writer", writer.Text}, {"reader", reader.Text}} {
		if _, _, ok := splitNamed(s.text); ok {
			if err := CheckSchema(s.text); err != nil {
				return true, fmt.Errorf("the %s's schema: %w", s.whose, err)
			}
		}
	}
	if !w {
		wname, _, _ = ParseSchema(writer.Text)
	}
	if !r {
		rname, _, _ = ParseSchema(reader.Text)
	}
	f := Incompatibility{Path: cmp.Or(rname, "record")}
	if wformat != rformat {
		f.What = fmt.Sprintf("the writer's format is %.100q, the reader's %.100q", wformat, rformat)
		f.Why, f.Remedy = "the bytes of one cannot be read as the other", "generate writers and readers with one format"
	} else {
		f.What, f.Why, f.Remedy = "the writer's is "+wname, "it is another record", "connect writers and readers of one record"
	}
	return true, &ResolveError{Writer: cmp.Or(wname, "the writer's record"), Reader: cmp.Or(rname, "the reader's"), Findings: []Incompatibility{f}}
}
