package gen

import (
	"github.com/rwgen/rwgen/gen/frontend/avro"
	"github.com/rwgen/rwgen/gen/frontend/proto"
	"github.com/rwgen/rwgen/gen/frontend/schema"
)

// frontends returns the functions of this module for schema languages.
func frontends() map[Language]schema.Load {
	return map[Language]schema.Load{Avro: avro.Load, Proto: proto.Load, Descriptors: proto.Load}
}
