package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
)

func TestNamedSchema(t *testing.T) {
	s := record.NamedSchema(record.FormatProtobuf, "org.usgs.Quake")
	if s.Text != "protobuf/1 org.usgs.Quake" || s.Reading != "" {
		t.Errorf("the schema is %+v", s)
	}
	if other := record.NamedSchema(record.FormatBinary, "org.usgs.Quake"); other.Fingerprint == s.Fingerprint {
		t.Error("two formats have one fingerprint")
	}
	for _, name := range []string{"", "a b", "a\nb", "a\x00b"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is taken for a name", name)
				}
			}()
			record.NamedSchema(record.FormatProtobuf, name)
		}()
	}
}

func TestCheckSchema(t *testing.T) {
	for text, fault := range map[string]string{
		"protobuf/1 org.usgs.Quake":       "",
		"binary/1 example.com/q.Quake[T]": "",
		"rwgen/1 Quake{Mag f64}":          "",
		`avro/1 {"type":"record"}`:        "",
		"avro/1 ":                         "of 0 bytes",
		"avro/1 {\n}":                     "schema of Avro",
		"protobuf/1 ":                     "a name of 0 bytes",
		"protobuf/1 a b":                  "is no name",
		"protobuf/2 a":                    "rwgen/1",
		"rwgen/1 Quake":                   "schema at byte",
	} {
		err := record.CheckSchema(text)
		if (err == nil) != (fault == "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf("%q: %v, want %q", text, err, fault)
		}
	}
}

// A record that is known by a name is read by readers of that name and format alone.
func TestResolveNamed(t *testing.T) {
	quake := record.NamedSchema(record.FormatProtobuf, "org.usgs.Quake")
	native := record.Reflect[struct{ Mag float64 }]
	ser, err := native()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name           string
		writer, reader record.Schema
		finding        string
	}{
		{"the same", quake, record.NamedSchema(record.FormatProtobuf, "org.usgs.Quake"), ""},
		{"another message", record.NamedSchema(record.FormatProtobuf, "org.usgs.Tremor"), quake, "org.usgs.Quake: the writer's is org.usgs.Tremor: it is another record"},
		{"another format", record.NamedSchema(record.FormatBinary, "org.usgs.Quake"), quake, `the writer's format is "binary", the reader's "protobuf"`},
		{"a native writer", ser.Schema(), quake, `the writer's format is "rwgen", the reader's "protobuf"`},
		{"a native reader", quake, ser.Schema(), `the writer's format is "protobuf", the reader's "rwgen"`},
	}
	for _, tt := range tests {
		translation, err := record.Resolve(tt.writer, tt.reader)
		if tt.finding == "" {
			if translation != nil || err != nil {
				t.Errorf("%s: %v, %v", tt.name, translation, err)
			}
			continue
		}
		var fault *record.ResolveError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), tt.finding) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.finding)
		}
	}
	damaged := record.Schema{Text: "protobuf/1 a\nb"}
	if _, err := record.Resolve(damaged, quake); err == nil || !strings.Contains(err.Error(), "the writer's schema") {
		t.Errorf("a damaged schema: %v", err)
	}
}
