package proto_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
	pb "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/proto"
	"github.com/rwgen/rwgen/gen/frontend/schema"
)

// everywhere puts all types into one package.
var everywhere = []schema.Package{{Subspaces: true, Dir: "/all", Path: "example.com/all", Name: "all"}}

// load reads a schema of one file and generates what follows from it: whatever it holds, that ends with diagnostics or with code.
func load(t *testing.T, name string, content []byte) {
	pkgs, diags := proto.Load(schema.Config{Files: []schema.File{{Name: name, Content: content}}, Packages: everywhere})
	if (len(pkgs) > 0) == (len(diags) > 0) {
		t.Fatalf("%d packages and %d diagnostics", len(pkgs), len(diags))
	}
	for _, p := range pkgs {
		e := emit.NewPackage(p)
		for _, f := range p.Files {
			if _, err := e.Decls(f, emit.Options{}); err != nil {
				t.Fatal(err)
			}
			if len(f.Records) == 0 {
				continue
			}
			// Names that the generated code needs may be taken.
			_, _ = e.File(f, emit.Options{})
		}
	}
}

func seeds(f *testing.F, add func(name string, content []byte)) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, s := range archive.Files {
			if filepath.Ext(s.Name) == ".proto" {
				add(s.Name, s.Data)
			}
		}
	}
}

func FuzzSource(f *testing.F) {
	seeds(f, func(_ string, content []byte) { f.Add(content) })
	f.Fuzz(func(t *testing.T, content []byte) { load(t, "a.proto", content) })
}

func FuzzSet(f *testing.F) {
	for _, name := range []string{"testdata/sets/quakes.binpb", "testdata/sets/bare.binpb"} {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
		var set descriptorpb.FileDescriptorSet
		if err := pb.Unmarshal(content, &set); err != nil {
			f.Fatal(err)
		}
		for _, fd := range set.File { // one by one, so that less stands in the way of what changes
			one, err := pb.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{fd}})
			if err != nil {
				f.Fatal(err)
			}
			f.Add(one)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) { load(t, "a.binpb", content) })
}
