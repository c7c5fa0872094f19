package record_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
)

// TestNames: whose records a reader takes, by their names alone. All of them have the same fields.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		writer, reader, reading string
		fits                    bool
	}{
		{"Order", "Order", "", true},
		{"Order", "Purchase", "", false},
		{"Order", "Purchase", "Purchase alias=Order", true},
		{"Order", "Purchase", "Purchase alias=Sale|Order", true},
		{"Purchase", "Order", "Order alias=Sale", false},
		{"Order", "Purchase", `Purchase.A alias=Order default="1"`, false},
		{"Order", "order", "", false},
		{"", "Order", "", true},
		{"Order", "", "", true},
		{"", "", "", true},
		// Instances.
		{"Pair[string,i64]", "Pair[string,i64]", "", true},
		{"Pair[string,i32]", "Pair[string,i64]", "", false},
		{"Pair[string,i32]", "Pair[string,i64]", "Pair[string,i64] alias=Pair[string,i32]", true},
		{"Couple[string,i64]", "Pair[string,i64]", "Pair[string,i64] alias=Couple", true},
		{"Couple[string,i32]", "Pair[string,i64]", "Pair[string,i64] alias=Couple", false},
		{"Couple", "Pair[string,i64]", "Pair[string,i64] alias=Couple", true},
		{"Couple[string]", "Pair", "Pair alias=Couple", false},
		{"Pair", "Pair[string]", "", false},
	} {
		w, r := schemaOf(t, "rwgen/1 "+c.writer+"{A i8,B string}"), schemaOf(t, "rwgen/1 "+c.reader+"{B string,A i16}")
		r.Reading = c.reading
		translation, err := record.Resolve(w, r)
		if c.fits {
			if translation == nil || err != nil {
				t.Errorf("%s as %s %q: %v", c.writer, c.reader, c.reading, err)
			}
			continue
		}
		var refused *record.ResolveError
		if !errors.As(err, &refused) || refused.Writer != c.writer || refused.Reader != c.reader || len(refused.Findings) != 1 || refused.Findings[0].Path != c.reader ||
			!strings.Contains(err.Error(), "the writer's is "+c.writer+": it is another record") {
			t.Errorf("%s as %s %q: %v", c.writer, c.reader, c.reading, err)
		}
	}
}

// schemaOf is the schema of a text.
func schemaOf(t *testing.T, text string) record.Schema {
	t.Helper()
	name, typ, err := record.ParseSchema(text)
	if err != nil {
		t.Fatal(err)
	}
	return record.NewSchema(name, typ)
}

// TestOtherNameSameFields: a name alone makes another record, even where not a byte is different.
func TestOtherNameSameFields(t *testing.T) {
	type Amount struct{ Cents int64 }
	type Delay struct{ Cents int64 }
	w, r := serializer[Amount](t), serializer[Delay](t)
	if _, err := record.Resolve(w.Schema(), r.Schema()); err == nil || !strings.Contains(err.Error(), "Amount cannot be read as Delay") {
		t.Errorf("%v", err)
	}
	if translation, err := record.Resolve(w.Schema(), serializer[Delay](t, record.Alias("Amount")).Schema()); translation != nil || err != nil {
		t.Errorf("with an alias: %v, %v", translation, err)
	}
	// The alias is the reader's: who had the name is no matter of the writer's.
	if _, err := record.Resolve(serializer[Amount](t, record.Alias("Delay")).Schema(), r.Schema()); err == nil {
		t.Error("an alias of the writer's is taken")
	}
}

// TestNestedNames: structs within records are what their fields are, whatever their names; members of unions and types with an encoding of their own have to keep theirs.
func TestNestedNames(t *testing.T) {
	for name, c := range map[string]struct {
		writer, reader string
		want           []string
	}{
		"struct":           {"{P Point{X i8,Y i8}}", "{P Place{Y i8,X i8}}", nil},
		"in containers":    {"{P []map[string]*Point{X i8}}", "{P []map[string]*Place{X i16}}", nil},
		"struct and none":  {"{P Point{X i8}}", "{P {X i16}}", nil},
		"nothing common":   {"{P Point{X i8}}", "{P Place{Lat f64}}", nil},
		"different fields": {"{P Point{X i8}}", "{P Place{X string}}", []string{"R.P.X"}},
		"the record's own": {"{P *@R}", "{P *Place{P *@Place}}", nil},
		"arguments":        {"{P Box[i8]{V i8}}", "{P Box[i16]{V i16}}", nil},
		"union":            {"{P Shape<Circle{R f64}>}", "{P Figure<Circle{R f64}>}", nil},
		"member":           {"{P Shape<Circle{R f64}>}", "{P Shape<Disc{R f64}>}", []string{"R.P"}},
		"own encoding":     {"{P bin(Addr)}", "{P bin(Address)}", []string{"R.P"}},
		"an alias of it":   {"{P Q{X i8}}", "{P R~2{X i16}}", nil},
	} {
		_, w, err := record.ParseSchema("rwgen/1 R" + c.writer)
		if err != nil {
			t.Fatal(err)
		}
		_, r, err := record.ParseSchema("rwgen/1 R" + c.reader)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, f := range record.Compare(w, r) {
			paths = append(paths, f.Path)
		}
		if !slices.Equal(paths, c.want) {
			t.Errorf("%s: %q, want %q", name, paths, c.want)
		}
	}
}

// TestAliasRefused: what is no name of a record before.
func TestAliasRefused(t *testing.T) {
	type R struct{ A int }
	for _, names := range [][]string{{""}, {"a b"}, {"p.R"}, {"4"}, {"_"}, {"S[string"}, {"S[string]x"}, {"S;T"}, {"S", "S"}, {"R"}} {
		if _, err := record.Reflect[R](record.Alias(names...)); err == nil {
			t.Errorf("%q is taken", names)
		}
	}
	if _, err := record.Reflect[struct{ A int }](record.Alias("S")); err == nil || !strings.Contains(err.Error(), "a record without a name has aliases") {
		t.Errorf("a record without a name: %v", err)
	}
}
