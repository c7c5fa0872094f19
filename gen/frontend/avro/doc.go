// Package avro reads Avro schemas, .avsc files and the types of .avpr files, into the representation that code is generated from.
//
//	pkgs, diags := avro.Load(schema.Config{
//		Files:    []schema.File{{Name: "quake.avsc", Content: content}},
//		Packages: []schema.Package{{Subspaces: true, Dir: dir, Path: "example.com/quakes", Name: "quakes"}},
//	})
//
// [Load] needs no Go tool chain and reads nothing but its arguments. What Go types follow from a schema is in gen/SCHEMAS.md. What is wrong with a schema is reported with line
// and column, all at once. Then another implementation, github.com/twmb/avro, has its say: schemas that it refuses are refused here too.
package avro
