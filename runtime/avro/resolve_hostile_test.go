package avro_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/avro"
	"github.com/rwgen/rwgen/runtime/record"
)

const defaulted = `{"name":"z","type":"int","default":1}`

// A schema of a few lines may have records that take no bytes and hold one another any number of times.
func TestResolveNothingManyTimes(t *testing.T) {
	fields := []string{`{"name":"f0","type":{"type":"record","name":"x.R0","fields":[{"name":"n","type":"null"}]}}`}
	for i := 1; i <= 100; i++ {
		fields = append(fields, fmt.Sprintf(`{"name":"f%d","type":{"type":"record","name":"x.R%d","fields":[{"name":"a","type":"x.R%d"},{"name":"b","type":"x.R%d"}]}}`, i, i, i-1, i-1))
	}
	tr, err := record.Resolve(recordSchema(rec(strings.Join(fields, ","))), recordSchema(rec(defaulted)))
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := tr.Append(nil, nil, record.Limits{}); err != nil || string(got) != "\x02" {
		t.Errorf("% x, %v", got, err)
	}
}

// A record may stand in a record that stands in it, where a union, an array or a map is between them: wherever on the way.
func TestResolveEndless(t *testing.T) {
	for _, tt := range []struct {
		name, between string
		endless       bool
	}{
		{"union", `["null",%s]`, false},
		{"array", `{"type":"array","items":%s}`, false},
		{"map", `{"type":"map","values":%s}`, false},
		{"nothing", `%s`, true},
	} {
		c := fmt.Sprintf(tt.between, `{"type":"record","name":"x.C","fields":[{"name":"r","type":"x.R"}]}`)
		s := recordSchema(rec(`{"name":"b","type":{"type":"record","name":"x.B","fields":[{"name":"c","type":` + c + `}]}}`))
		_, err := avro.Rules{}.Resolve(s, s, false)
		if tt.endless != (err != nil) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	// Below a union, too.
	s := recordSchema(rec(`{"name":"b","type":["null",{"type":"record","name":"x.B","fields":[{"name":"b","type":"x.B"}]}]}`))
	if _, err := (avro.Rules{}).Resolve(s, s, false); err == nil {
		t.Error("a record that is in itself below a union was taken")
	}
}

// Defaults of records take those of their fields, of which there may be any number.
func TestResolveDefaultsBounded(t *testing.T) {
	b := `{"type":"record","name":"x.B","fields":[{"name":"f","type":["x.A","x.B"],"default":{}}]}`
	recursive := `{"name":"p","type":{"type":"record","name":"x.A","fields":[{"name":"f","type":["x.A",` + b + `],"default":{}}]},"default":{}}`
	doubled := `{"name":"f0","type":{"type":"record","name":"x.R0","fields":[` + defaulted + `]},"default":{}}`
	for i := 1; i <= 60; i++ {
		doubled += fmt.Sprintf(`,{"name":"f%d","default":{},"type":{"type":"record","name":"x.R%d","fields":[{"name":"a","type":"x.R%d","default":{}},{"name":"b","type":"x.R%d","default":{}}]}}`, i, i, i-1, i-1)
	}
	for _, reader := range []string{recursive, doubled} {
		_, err := avro.Rules{}.Resolve(recordSchema(rec(defaulted)), recordSchema(rec(reader)), false)
		if refused := (*record.ResolveError)(nil); !errors.As(err, &refused) {
			t.Error(err)
		}
	}
}

// What is nested is read again at each level.
func TestResolveNestedAndLong(t *testing.T) {
	s := strings.Repeat(`{"type":"array","items":`, 490) + `{"type":"fixed","name":"F","size":3,"doc":"` + strings.Repeat("x", 900_000) + `"}` + strings.Repeat("}", 490)
	_, err := avro.Rules{}.Resolve(recordSchema(rec(`{"name":"a","type":`+s+`}`)), recordSchema(rec(defaulted)), false)
	if err == nil || !strings.Contains(err.Error(), "too many levels for its size") {
		t.Error(err)
	}
}
