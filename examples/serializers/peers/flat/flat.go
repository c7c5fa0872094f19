package flat

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

//go:generate go run ../../internal/loops

// builderBytes is how large the buffer of a builder is at first, which is enough.
const builderBytes = 16 << 10

type smallCopy struct {
	harness.Pool[small.Record, small.Record]
	builder *flatbuffers.Builder
}

func (c *smallCopy) marshal(_ []byte, v *small.Record) ([]byte, error) {
	return buildSmall(c.builder, v), nil
}

func (*smallCopy) unmarshal(src []byte, v *small.Record) error {
	readSmall(src, v, false)
	return nil
}

type smallView struct {
	harness.Pool[small.Record, small.Record]
	builder *flatbuffers.Builder
}

func (c *smallView) marshal(_ []byte, v *small.Record) ([]byte, error) {
	return buildSmall(c.builder, v), nil
}

func (*smallView) unmarshal(src []byte, v *small.Record) error {
	readSmall(src, v, true)
	return nil
}

// Small returns the rows of the shape.
func Small() ([]harness.Row[small.Record], error) {
	return []harness.Row[small.Record]{
		{Name: "flatbuffers", Codec: &smallCopy{builder: flatbuffers.NewBuilder(builderBytes)}},
		{Name: "flatbuffers, strings of the buffer", View: true, Codec: &smallView{builder: flatbuffers.NewBuilder(builderBytes)}},
	}, nil
}

type sensorCopy struct {
	harness.Pool[sensor.Record, sensor.Record]
	builder *flatbuffers.Builder
}

func (c *sensorCopy) marshal(_ []byte, v *sensor.Record) ([]byte, error) {
	return buildSensor(c.builder, v), nil
}

func (*sensorCopy) unmarshal(src []byte, v *sensor.Record) error {
	readSensor(src, v)
	return nil
}

// Sensor returns the rows of the shape.
func Sensor() ([]harness.Row[sensor.Record], error) {
	return []harness.Row[sensor.Record]{
		{Name: "flatbuffers", Codec: &sensorCopy{builder: flatbuffers.NewBuilder(builderBytes)}},
	}, nil
}

type orderCopy struct {
	harness.Pool[order.Record, order.Record]
	builder *flatbuffers.Builder
	order   orderBuilder
}

func (c *orderCopy) marshal(_ []byte, v *order.Record) ([]byte, error) {
	return c.order.build(c.builder, v), nil
}

func (*orderCopy) unmarshal(src []byte, v *order.Record) error {
	readOrder(src, v, false)
	return nil
}

type orderView struct {
	harness.Pool[order.Record, order.Record]
	builder *flatbuffers.Builder
	order   orderBuilder
}

func (c *orderView) marshal(_ []byte, v *order.Record) ([]byte, error) {
	return c.order.build(c.builder, v), nil
}

func (*orderView) unmarshal(src []byte, v *order.Record) error {
	readOrder(src, v, true)
	return nil
}

// Order returns the rows of the shape.
func Order() ([]harness.Row[order.Record], error) {
	return []harness.Row[order.Record]{
		{Name: "flatbuffers", Codec: &orderCopy{builder: flatbuffers.NewBuilder(builderBytes)}},
		{Name: "flatbuffers, strings of the buffer", View: true, Codec: &orderView{builder: flatbuffers.NewBuilder(builderBytes)}},
	}, nil
}

type textCopy struct {
	harness.Pool[text.Record, text.Record]
	builder *flatbuffers.Builder
}

func (c *textCopy) marshal(_ []byte, v *text.Record) ([]byte, error) {
	return buildText(c.builder, v), nil
}

func (*textCopy) unmarshal(src []byte, v *text.Record) error {
	readText(src, v, false)
	return nil
}

type textView struct {
	harness.Pool[text.Record, text.Record]
	builder *flatbuffers.Builder
}

func (c *textView) marshal(_ []byte, v *text.Record) ([]byte, error) {
	return buildText(c.builder, v), nil
}

func (*textView) unmarshal(src []byte, v *text.Record) error {
	readText(src, v, true)
	return nil
}

// Text returns the rows of the shape.
func Text() ([]harness.Row[text.Record], error) {
	return []harness.Row[text.Record]{
		{Name: "flatbuffers", Codec: &textCopy{builder: flatbuffers.NewBuilder(builderBytes)}},
		{Name: "flatbuffers, strings of the buffer", View: true, Codec: &textView{builder: flatbuffers.NewBuilder(builderBytes)}},
	}, nil
}
