package main

// Generated code imports these packages. Importing them here as well makes the tool line in a user's go.mod enough for go mod tidy to pin
// everything that generated code needs, before there is any.
import (
	_ "github.com/rwgen/rwgen/runtime/eventtime"
	_ "github.com/rwgen/rwgen/runtime/gate"
	_ "github.com/rwgen/rwgen/runtime/metrics"
	_ "github.com/rwgen/rwgen/runtime/record"
	_ "github.com/rwgen/rwgen/runtime/rwimpl"
	_ "github.com/rwgen/rwgen/runtime/selector"
	_ "github.com/rwgen/rwgen/runtime/wire"
	_ "github.com/rwgen/rwgen/runtime/writer"
)
