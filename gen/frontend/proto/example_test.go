package proto_test

import (
	"fmt"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/proto"
	"github.com/rwgen/rwgen/gen/frontend/schema"
)

func Example() {
	const quake = `
		syntax = "proto3";
		package org.usgs;

		message Quake {
			string quake_id = 1;
			optional double magnitude = 2;
		}`
	pkgs, diags := proto.Load(schema.Config{
		Files:    []schema.File{{Name: "quake.proto", Content: []byte(quake)}},
		Packages: []schema.Package{{Namespace: "org.usgs", Dir: "/src/quakes", Path: "example.com/quakes", Name: "quakes"}},
		Records:  []schema.Record{{Name: "org.usgs.Quake", Writers: []string{"ByID key=quake_id"}}},
	})
	if len(diags) > 0 {
		fmt.Println(diags)
		return
	}
	for _, f := range pkgs[0].Files {
		for _, r := range f.Records {
			fmt.Println(f.DeclOutput, f.Output, emit.Schema(r).Text)
		}
	}
	// Output: quake_types.go quake_rw.go rwgen/1 Quake{QuakeID string,Magnitude *f64}
}
