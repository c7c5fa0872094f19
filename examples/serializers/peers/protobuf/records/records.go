package records

import "github.com/rwgen/rwgen/examples/serializers/peers/protobuf/pb"

//go:generate go tool rwgen

// Order has messages, lists and a map in it.
//
//rwgen:record format=protobuf
//rwgen:writer ByCountry key=Address.Country
type Order = pb.Order

// Sensor has numbers only.
//
//rwgen:record format=protobuf
//rwgen:writer ByDevice key=Device
type Sensor = pb.Sensor
