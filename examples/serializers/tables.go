package main

import (
	"fmt"
	"regexp"
	"runtime"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/peers/avro"
	"github.com/rwgen/rwgen/examples/serializers/peers/byhand"
	"github.com/rwgen/rwgen/examples/serializers/peers/flat"
	"github.com/rwgen/rwgen/examples/serializers/peers/limit"
	"github.com/rwgen/rwgen/examples/serializers/peers/msgpack"
	"github.com/rwgen/rwgen/examples/serializers/peers/mus"
	"github.com/rwgen/rwgen/examples/serializers/peers/protobuf"
	"github.com/rwgen/rwgen/examples/serializers/peers/rwgen"
	"github.com/rwgen/rwgen/examples/serializers/peers/rwgenavro"
	"github.com/rwgen/rwgen/examples/serializers/peers/std"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

// A shape is one kind of records with the rows of all peers.
type shape[T any] struct {
	name  string
	pool  func() []T
	equal func(a, b *T) bool
	peers []func() ([]harness.Row[T], error)
}

func smallShape() shape[small.Record] {
	return shape[small.Record]{"small", small.Pool, small.Equal, []func() ([]harness.Row[small.Record], error){
		limit.Small, byhand.Small, rwgen.Small, rwgenavro.Small, mus.Small, msgpack.Small, protobuf.Small, flat.Small, avro.Small, std.Small,
	}}
}

func sensorShape() shape[sensor.Record] {
	return shape[sensor.Record]{"sensor", sensor.Pool, sensor.Equal, []func() ([]harness.Row[sensor.Record], error){
		limit.Sensor, byhand.Sensor, rwgen.Sensor, rwgenavro.Sensor, mus.Sensor, msgpack.Sensor, protobuf.Sensor, flat.Sensor, avro.Sensor, std.Sensor,
	}}
}

func orderShape() shape[order.Record] {
	return shape[order.Record]{"order", order.Pool, order.Equal, []func() ([]harness.Row[order.Record], error){
		limit.Order, byhand.Order, rwgen.Order, rwgenavro.Order, mus.Order, msgpack.Order, protobuf.Order, flat.Order, avro.Order, std.Order,
	}}
}

func textShape() shape[text.Record] {
	return shape[text.Record]{"text", text.Pool, text.Equal, []func() ([]harness.Row[text.Record], error){
		limit.Text, byhand.Text, rwgen.Text, rwgenavro.Text, mus.Text, msgpack.Text, protobuf.Text, flat.Text, avro.Text, std.Text,
	}}
}

// rows makes the rows of all peers, which hold the encoded records.
func (s shape[T]) rows() ([]harness.Row[T], error) {
	records := s.pool()
	var all []harness.Row[T]
	for _, peer := range s.peers {
		rows, err := peer()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		for _, r := range rows {
			if err := r.Codec.Prepare(records); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", s.name, r.Name, err)
			}
		}
		all = append(all, rows...)
	}
	return all, nil
}

// A table is a shape without its type.
type table struct {
	name string
	rows []row
}

// A row is one peer in a table.
type row struct {
	name  string
	view  bool // decoded strings and bytes are part of the input
	reset bool // the reused value is reset by the row, because the decoder would leave data in it
	loops harness.Loops
	bytes float64 // of an encoded record, on average
	// allocations of one decoded record, on average
	allocations float64
}

// table makes the table of the shape.
func (s shape[T]) table() (table, error) {
	rows, err := s.rows()
	if err != nil {
		return table{}, err
	}
	t := table{name: s.name}
	for _, r := range rows {
		one := row{name: r.Name, view: r.View, reset: r.Stale, loops: r.Codec}
		size, err := r.Codec.MarshalAll(harness.Records)
		if err != nil {
			return table{}, fmt.Errorf("%s, %s: %w", s.name, r.Name, err)
		}
		one.bytes = float64(size) / harness.Records
		if one.allocations, err = allocations(r.Codec); err != nil {
			return table{}, fmt.Errorf("%s, %s: %w", s.name, r.Name, err)
		}
		t.rows = append(t.rows, one)
	}
	return t, nil
}

// allocations counts those of decoding all records once, after a first time in which slices and maps have grown.
func allocations(l harness.Loops) (float64, error) {
	if err := l.UnmarshalAll(harness.Records); err != nil {
		return 0, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := l.UnmarshalAll(harness.Records)
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / harness.Records, err
}

// tables makes the tables of the shapes whose name matches.
func tables(names *regexp.Regexp) ([]table, error) {
	small, sensor, order, text := smallShape(), sensorShape(), orderShape(), textShape()
	var all []table
	for _, of := range []struct {
		name string
		make func() (table, error)
	}{{small.name, small.table}, {sensor.name, sensor.table}, {order.name, order.table}, {text.name, text.table}} {
		if !names.MatchString(of.name) {
			continue
		}
		t, err := of.make()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}
