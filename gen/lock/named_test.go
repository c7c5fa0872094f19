package lock_test

import (
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/lock"
	"github.com/rwgen/rwgen/runtime/record"
)

// A record whose format says no more than a name can be read for as long as that and the format stay.
func TestBreakingNamed(t *testing.T) {
	named := func(format ir.Format, name string) lock.Record {
		return lock.Record{
			Entry: lock.Entry{Package: ".", Record: "Quake", Schema: record.NamedSchema(format.String(), name)},
			IR: &ir.Record{
				Name: "Quake", Pos: token.Position{Filename: "r.go", Line: 9, Column: 6}, Format: format, Called: name,
				Type: &ir.Type{Kind: ir.Codec, Name: &ir.Name{Name: "Quake"}},
			},
			Type: &record.Type{Kind: record.KindCodec, Name: "Quake"},
		}
	}
	native := code(t, "rwgen/1 Quake{A i8}", nil)
	for _, tt := range []struct {
		name string
		old  record.Schema
		now  lock.Record
		mode lock.Mode
		want []string
	}{
		{"the same", named(ir.Protobuf, "a.Quake").Schema, named(ir.Protobuf, "a.Quake"), lock.Both, nil},
		{"another name", named(ir.Protobuf, "a.Quake").Schema, named(ir.Protobuf, "b.Quake"), lock.Both, []string{
			"r.go:9:6: b.Quake: the writer's is a.Quake: it is another record [breaking]\n\ttry: connect writers and readers of one record",
		}},
		{"for earlier code", named(ir.Protobuf, "a.Quake").Schema, named(ir.Protobuf, "b.Quake"), lock.Forward, []string{
			"r.go:9:6: for earlier code: a.Quake: the writer's is b.Quake: it is another record [breaking]\n\ttry: connect writers and readers of one record",
		}},
		{"native became Protobuf", native.Schema, named(ir.Protobuf, "a.Quake"), lock.Backward, []string{
			"r.go:9:6: a.Quake: the writer's format is \"rwgen\", the reader's \"protobuf\": the bytes of one cannot be read as the other [breaking]\n" +
				"\ttry: generate writers and readers with one format",
		}},
		{"Protobuf became native", named(ir.OwnBinary, "p.Quake").Schema, native, lock.Backward, []string{
			"r.go:9:6: Quake: the writer's format is \"binary\", the reader's \"rwgen\": the bytes of one cannot be read as the other [breaking]\n" +
				"\ttry: generate writers and readers with one format",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			old := lock.Entry{Package: ".", Record: "Quake", Schema: tt.old, Pos: token.Position{Filename: "rwgen.lock", Line: 3, Column: 1}}
			var got []string
			for _, d := range lock.Breaking([]lock.Entry{old}, []lock.Record{tt.now}, tt.mode) {
				got = append(got, d.Format(""))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
