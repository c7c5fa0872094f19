package byhand

import (
	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

//go:generate go run ../../internal/loops

type smallCopy struct {
	harness.Pool[small.Record, small.Record]
}

func (*smallCopy) marshal(buffer []byte, v *small.Record) ([]byte, error) {
	return putSmall(buffer, v)
}

func (*smallCopy) unmarshal(src []byte, v *small.Record) error { return getSmall(src, v, false) }

type smallView struct {
	harness.Pool[small.Record, small.Record]
}

func (*smallView) marshal(buffer []byte, v *small.Record) ([]byte, error) {
	return putSmall(buffer, v)
}

func (*smallView) unmarshal(src []byte, v *small.Record) error { return getSmall(src, v, true) }

// Small returns the rows of the shape.
func Small() ([]harness.Row[small.Record], error) {
	return []harness.Row[small.Record]{
		{Name: harness.Ours, Codec: new(smallCopy)},
		{Name: harness.OursView, View: true, Codec: new(smallView)},
	}, nil
}

type sensorCopy struct {
	harness.Pool[sensor.Record, sensor.Record]
}

func (*sensorCopy) marshal(buffer []byte, v *sensor.Record) ([]byte, error) {
	return putSensor(buffer, v)
}

func (*sensorCopy) unmarshal(src []byte, v *sensor.Record) error { return getSensor(src, v) }

// Sensor returns the rows of the shape.
func Sensor() ([]harness.Row[sensor.Record], error) {
	return []harness.Row[sensor.Record]{
		{Name: harness.Ours, Codec: new(sensorCopy)},
	}, nil
}

type orderCopy struct {
	harness.Pool[order.Record, order.Record]
}

func (*orderCopy) marshal(buffer []byte, v *order.Record) ([]byte, error) {
	return putOrder(buffer, v)
}

func (*orderCopy) unmarshal(src []byte, v *order.Record) error { return getOrder(src, v, false) }

type orderView struct {
	harness.Pool[order.Record, order.Record]
}

func (*orderView) marshal(buffer []byte, v *order.Record) ([]byte, error) {
	return putOrder(buffer, v)
}

func (*orderView) unmarshal(src []byte, v *order.Record) error { return getOrder(src, v, true) }

// Order returns the rows of the shape.
func Order() ([]harness.Row[order.Record], error) {
	return []harness.Row[order.Record]{
		{Name: harness.Ours, Codec: new(orderCopy)},
		{Name: harness.OursView, View: true, Codec: new(orderView)},
	}, nil
}

type textCopy struct {
	harness.Pool[text.Record, text.Record]
}

func (*textCopy) marshal(buffer []byte, v *text.Record) ([]byte, error) {
	return putText(buffer, v)
}

func (*textCopy) unmarshal(src []byte, v *text.Record) error { return getText(src, v, false) }

type textView struct {
	harness.Pool[text.Record, text.Record]
}

func (*textView) marshal(buffer []byte, v *text.Record) ([]byte, error) {
	return putText(buffer, v)
}

func (*textView) unmarshal(src []byte, v *text.Record) error { return getText(src, v, true) }

// Text returns the rows of the shape.
func Text() ([]harness.Row[text.Record], error) {
	return []harness.Row[text.Record]{
		{Name: harness.Ours, Codec: new(textCopy)},
		{Name: harness.OursView, View: true, Codec: new(textView)},
	}, nil
}
