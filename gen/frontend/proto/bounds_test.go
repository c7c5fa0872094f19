package proto_test

import (
	"fmt"
	"strings"
	"testing"

	pb "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/rwgen/rwgen/gen/frontend/proto"
	"github.com/rwgen/rwgen/gen/frontend/schema"
)

// What is far beyond what people write ends soon, and with few words.
func TestBounds(t *testing.T) {
	source := func(text string) schema.File { return schema.File{Name: "a.proto", Content: []byte(text)} }
	set := func(files ...*descriptorpb.FileDescriptorProto) schema.File {
		b, err := pb.Marshal(&descriptorpb.FileDescriptorSet{File: files})
		if err != nil {
			t.Fatal(err)
		}
		return schema.File{Name: "a.binpb", Content: b}
	}
	deep := &descriptorpb.DescriptorProto{Name: pb.String("A")}
	for range 2000 {
		deep = &descriptorpb.DescriptorProto{Name: pb.String("A"), NestedType: []*descriptorpb.DescriptorProto{deep}}
	}
	var imports []string
	for i := range 100_001 {
		imports = append(imports, fmt.Sprint(i))
	}
	many := &descriptorpb.FileDescriptorProto{Name: pb.String("a")}
	for i := range 20_001 {
		many.MessageType = append(many.MessageType, &descriptorpb.DescriptorProto{Name: pb.String(fmt.Sprint("A", i))})
	}
	var files []schema.File
	for i := range 9 {
		files = append(files, schema.File{Name: fmt.Sprint(i, ".proto"), Content: []byte(strings.Repeat("\n", 1<<20))})
	}
	for name, tt := range map[string]struct {
		files []schema.File
		want  string
	}{
		"blocks":       {[]schema.File{source(strings.Repeat("message A {\n", 101))}, "a.proto:101:11: blocks within blocks of more than 100 levels"},
		"a line":       {[]schema.File{source("\n" + strings.Repeat(";", 20_000))}, "a.proto:2:1: a line of more than 16384 bytes"},
		"a source":     {[]schema.File{source(strings.Repeat("\n", 1<<20+1))}, "a.proto: the source has 1048577 bytes"},
		"sources":      {files, "8.proto: the source has 1048576 bytes, and with it all have 9437184"},
		"faults":       {[]schema.File{source(strings.Repeat("!\n", 5000))}, "a.proto:1:1: invalid character"},
		"levels":       {[]schema.File{set(&descriptorpb.FileDescriptorProto{Name: pb.String("a"), MessageType: []*descriptorpb.DescriptorProto{deep}})}, "this is no descriptor set"},
		"imports":      {[]schema.File{set(&descriptorpb.FileDescriptorProto{Name: pb.String("a"), Dependency: imports})}, "more than 100000 imports"},
		"definitions":  {[]schema.File{set(many)}, "the schemas define 20001 types"},
		"no file name": {[]schema.File{set(&descriptorpb.FileDescriptorProto{})}, "is no file"},
	} {
		t.Run(name, func(t *testing.T) {
			pkgs, diags := proto.Load(schema.Config{Files: tt.files, Packages: everywhere})
			if pkgs != nil || len(diags) == 0 || len(diags) > 1000 || !strings.Contains(diags[0].Format(""), tt.want) {
				t.Fatalf("%d faults, the first is %.300v, want %s", len(diags), diags, tt.want)
			}
		})
	}
}
