package lock_test

import (
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/lock"
	"github.com/rwgen/rwgen/runtime/record"
)

// code is a record of today: its fields stand in the lines from 10 on, in the order of the schema text.
func code(t *testing.T, text string, change func(t *record.Type)) lock.Record {
	t.Helper()
	name, typ, err := record.ParseSchema(text)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(typ)
	}
	line := 10
	seen := make(map[*record.Type]*ir.Type)
	var model func(r *record.Type) *ir.Type
	model = func(r *record.Type) *ir.Type {
		if r == nil {
			return nil
		}
		if seen[r] != nil {
			return seen[r]
		}
		out := &ir.Type{}
		seen[r] = out
		if r.Name != "" {
			out.Name = &ir.Name{Name: r.Name}
		}
		switch r.Kind {
		case record.KindStruct:
			out.Kind = ir.Struct
		case record.KindPointer:
			out.Kind = ir.Pointer
		case record.KindUnion:
			out.Kind = ir.Union
		}
		for _, f := range r.Fields {
			field := &ir.Field{Name: f.Name, Pos: token.Position{Filename: "r.go", Line: line, Column: 2}}
			line++
			field.Type = model(f.Type)
			out.Fields = append(out.Fields, field)
		}
		for i, m := range r.Members {
			member := model(m)
			if i%2 == 1 {
				member = &ir.Type{Kind: ir.Pointer, Elem: member}
			}
			out.Members = append(out.Members, member)
		}
		out.Elem, out.Key = model(r.Elem), model(r.Key)
		return out
	}
	schema := record.Schema{Text: text, Fingerprint: lock.Fingerprint(text)}
	return lock.Record{
		Entry: lock.Entry{Package: ".", Record: name, Schema: schema},
		IR:    &ir.Record{Name: name, Pos: token.Position{Filename: "r.go", Line: 9, Column: 6}, Type: model(typ)},
		Type:  typ,
	}
}

func TestBreaking(t *testing.T) {
	for _, tt := range []struct {
		name, old, now string
		change         func(t *record.Type)
		mode           lock.Mode
		want           []string
	}{
		{"equal", "{A i8}", "{A i8}", nil, lock.Both, nil},
		{"wider", "{A i8}", "{A i16}", nil, lock.Backward, nil},
		{"narrower for those of earlier", "{A i8,B bool}", "{A i16,B bool}", nil, lock.Forward,
			[]string{"r.go:10:2: for earlier code: R.A: i16 became i8: values of the writer may be beyond the reader's"}},
		{"narrower", "{B bool,A i16}", "{B bool,A i8}", nil, lock.Both,
			[]string{"r.go:11:2: R.A: i16 became i8: values of the writer may be beyond the reader's"}},
		{"nested", "{L []L{X string}}", "{L []L{X bool}}", nil, lock.Backward,
			[]string{"r.go:11:2: R.L[].X: string became bool: the one cannot be read as the other"}},
		{"pointer", "{P *P{X string}}", "{P *P{X bool}}", nil, lock.Backward,
			[]string{"r.go:11:2: R.P.X: string became bool: the one cannot be read as the other"}},
		{"map", "{M map[string]V{X string}}", "{M map[i8]V{X bool}}", nil, lock.Backward, []string{
			"r.go:10:2: R.M[key]: string became i8: the one cannot be read as the other",
			"r.go:11:2: R.M[].X: string became bool: the one cannot be read as the other",
		}},
		{"member", "{S S<A{X string}|B{Y i8}>}", "{S S<A{X bool}|B{Y bool}>}", nil, lock.Backward, []string{
			"r.go:11:2: R.S(A).X: string became bool: the one cannot be read as the other",
			"r.go:12:2: R.S(B).Y: i8 became bool: the one cannot be read as the other",
		}},
		{"member gone", "{S S<A{X string}|B{Y i8}>}", "{S S<A{X string}>}", nil, lock.Backward,
			[]string{"r.go:10:2: R.S: member B was removed: the writer may have sent one"}},
		{"recursive", "{N *N{Next *@N,X i16}}", "{N *N{Next *@N,X i8}}", nil, lock.Backward,
			[]string{"r.go:12:2: R.N.X: i16 became i8: values of the writer may be beyond the reader's"}},
		{"renamed", "{A string,B i8}", "{C string,B i8}", nil, lock.Backward,
			[]string{"r.go:10:2: R.C: A is gone and C, of the same type, is new: if the field was renamed, readers lose what the writer has sent"}},
		{"renamed within", "{L map[string]*L{A string}}", "{L map[string]*L{B string}}", nil, lock.Backward,
			[]string{"r.go:11:2: R.L[].B: A is gone and B, of the same type, is new: if the field was renamed, readers lose what the writer has sent"}},
		{"two renamed", "{A string,B string}", "{C string,D string}", nil, lock.Backward, []string{
			"r.go:10:2: R.C: A is gone and C, of the same type, is new: if the field was renamed, readers lose what the writer has sent",
			"r.go:11:2: R.D: B is gone and D, of the same type, is new: if the field was renamed, readers lose what the writer has sent",
		}},
		{"renamed with an alias", "{A string}", "{B string}", func(t *record.Type) { t.Fields[0].Aliases = []string{"A"} }, lock.Backward, nil},
		{"new with a default", "{A string}", "{B string}", func(t *record.Type) { t.Fields[0].HasDefault = true }, lock.Backward, nil},
		{"another type", "{A string,X i8}", "{B i8,X i8}", nil, lock.Backward, nil},
		{"added and removed", "{A string,X i8}", "{X i8,Y f64}", nil, lock.Backward, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			old := "rwgen/1 R" + tt.old
			entry := lock.Entry{Package: ".", Record: "R", Schema: record.Schema{Text: old, Fingerprint: lock.Fingerprint(old)}}
			r := code(t, "rwgen/1 R"+tt.now, tt.change)
			if d := cmp.Diff(tt.want, messages(lock.Breaking([]lock.Entry{entry}, []lock.Record{r}, tt.mode))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Records that are gone break readers of today only, new ones nobody.
func TestGone(t *testing.T) {
	old := entry("shop", "Order", "i8")
	old.Pos = token.Position{Filename: "rwgen.lock", Line: 3, Column: 1}
	now := []lock.Record{code(t, "rwgen/1 R{A i8}", nil)}
	want := []string{"rwgen.lock:3:1: record Order in shop is gone: nobody reads its data any more"}
	if d := cmp.Diff(want, messages(lock.Breaking([]lock.Entry{old}, now, lock.Backward))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := lock.Breaking([]lock.Entry{old}, now, lock.Forward); len(got) > 0 {
		t.Errorf("forward: %v", got)
	}
	// One that has another name is gone for who does not know that: earlier code.
	old = entry(".", "Q", "i8")
	renamed := []lock.Record{now[0], code(t, "rwgen/1 R{A i16}", func(t *record.Type) { t.Aliases = []string{"P", "Q"} })}
	renamed[0].Record = "S"
	if got := lock.Breaking([]lock.Entry{old}, renamed, lock.Backward); len(got) > 0 {
		t.Errorf("under an alias: %v", got)
	}
	want = []string{"r.go:9:6: for earlier code: Q: the writer's is R: it is another record"}
	if d := cmp.Diff(want, messages(lock.Breaking([]lock.Entry{old}, renamed, lock.Both))); d != "" {
		t.Errorf("under an alias (-want +got):\n%s", d)
	}
	old.Package = "elsewhere"
	if got := lock.Breaking([]lock.Entry{old}, renamed, lock.Backward); len(got) != 1 {
		t.Errorf("an alias in another package: %v", got)
	}
	old = entry(".", "R", "i8")
	old.Schema.Text = "rwgen/1 R{"
	if got := lock.Breaking([]lock.Entry{old}, now, lock.Backward); len(got) != 1 || got[0].Category != lock.Damaged {
		t.Errorf("damaged: %v", got)
	}
}
