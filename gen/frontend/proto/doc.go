// Package proto reads Protobuf schemas, as .proto files and as descriptor sets of protoc and buf, into the representation of records:
//
//	pkgs, diags := proto.Load(schema.Config{
//		Files:    []schema.File{{Name: "quake.proto", Content: content}},
//		Packages: []schema.Package{{Subspaces: true, Dir: "/src/quakes", Path: "example.com/quakes", Name: "quakes"}},
//	})
//
// Nothing else than what the configuration names is read. gen/SCHEMAS.md says what becomes of a schema, and gen/DESIGN.md why.
package proto
