package mus

import (
	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

//go:generate go run ../../internal/loops

type smallSafe struct {
	harness.Pool[small.Record, small.Record]
}

func (*smallSafe) marshal(buffer []byte, v *small.Record) ([]byte, error) {
	buffer = buffer[:smallSer{}.Size(*v)]
	smallSer{}.Marshal(*v, buffer)
	return buffer, nil
}

func (*smallSafe) unmarshal(src []byte, v *small.Record) (err error) {
	*v, _, err = smallSer{}.Unmarshal(src)
	return err
}

type sensorSafe struct {
	harness.Pool[sensor.Record, sensor.Record]
}

func (*sensorSafe) marshal(buffer []byte, v *sensor.Record) ([]byte, error) {
	buffer = buffer[:sensorSer{}.Size(*v)]
	sensorSer{}.Marshal(*v, buffer)
	return buffer, nil
}

func (*sensorSafe) unmarshal(src []byte, v *sensor.Record) (err error) {
	*v, _, err = sensorSer{}.Unmarshal(src)
	return err
}

type orderSafe struct {
	harness.Pool[order.Record, order.Record]
}

func (*orderSafe) marshal(buffer []byte, v *order.Record) ([]byte, error) {
	buffer = buffer[:orderSer{}.Size(*v)]
	orderSer{}.Marshal(*v, buffer)
	return buffer, nil
}

func (*orderSafe) unmarshal(src []byte, v *order.Record) (err error) {
	*v, _, err = orderSer{}.Unmarshal(src)
	return err
}

type textSafe struct {
	harness.Pool[text.Record, text.Record]
}

func (*textSafe) marshal(buffer []byte, v *text.Record) ([]byte, error) {
	buffer = buffer[:textSer{}.Size(*v)]
	textSer{}.Marshal(*v, buffer)
	return buffer, nil
}

func (*textSafe) unmarshal(src []byte, v *text.Record) (err error) {
	*v, _, err = textSer{}.Unmarshal(src)
	return err
}

type smallUnsafe struct {
	harness.Pool[small.Record, small.Record]
}

func (*smallUnsafe) marshal(buffer []byte, v *small.Record) ([]byte, error) {
	buffer = buffer[:smallUnsafeSer{}.Size(*v)]
	smallUnsafeSer{}.Marshal(*v, buffer)
	return buffer, nil
}

func (*smallUnsafe) unmarshal(src []byte, v *small.Record) (err error) {
	*v, _, err = smallUnsafeSer{}.Unmarshal(src)
	return err
}

type sensorUnsafe struct {
	harness.Pool[sensor.Record, sensor.Record]
}

func (*sensorUnsafe) marshal(buffer []byte, v *sensor.Record) ([]byte, error) {
	buffer = buffer[:sensorUnsafeSer{}.Size(*v)]
	sensorUnsafeSer{}.Marshal(*v, buffer)
	return buffer, nil
}

func (*sensorUnsafe) unmarshal(src []byte, v *sensor.Record) (err error) {
	*v, _, err = sensorUnsafeSer{}.Unmarshal(src)
	return err
}

type orderUnsafe struct {
	harness.Pool[order.Record, order.Record]
}

func (*orderUnsafe) marshal(buffer []byte, v *order.Record) ([]byte, error) {
	buffer = buffer[:orderUnsafeSer{}.Size(*v)]
	orderUnsafeSer{}.Marshal(*v, buffer)
	return buffer, nil
}

func (*orderUnsafe) unmarshal(src []byte, v *order.Record) (err error) {
	*v, _, err = orderUnsafeSer{}.Unmarshal(src)
	return err
}

type textUnsafe struct {
	harness.Pool[text.Record, text.Record]
}

func (*textUnsafe) marshal(buffer []byte, v *text.Record) ([]byte, error) {
	buffer = buffer[:textUnsafeSer{}.Size(*v)]
	textUnsafeSer{}.Marshal(*v, buffer)
	return buffer, nil
}

func (*textUnsafe) unmarshal(src []byte, v *text.Record) (err error) {
	*v, _, err = textUnsafeSer{}.Unmarshal(src)
	return err
}

// Small returns the rows of the shape.
func Small() ([]harness.Row[small.Record], error) {
	return []harness.Row[small.Record]{
		{Name: "mus", Codec: new(smallSafe)},
		{Name: "mus unsafe", View: true, Codec: new(smallUnsafe)},
	}, nil
}

// Sensor returns the rows of the shape.
func Sensor() ([]harness.Row[sensor.Record], error) {
	return []harness.Row[sensor.Record]{
		{Name: "mus", Codec: new(sensorSafe)},
		{Name: "mus unsafe", View: false, Codec: new(sensorUnsafe)},
	}, nil
}

// Order returns the rows of the shape.
func Order() ([]harness.Row[order.Record], error) {
	return []harness.Row[order.Record]{
		{Name: "mus", Codec: new(orderSafe)},
		{Name: "mus unsafe", View: true, Codec: new(orderUnsafe)},
	}, nil
}

// Text returns the rows of the shape.
func Text() ([]harness.Row[text.Record], error) {
	return []harness.Row[text.Record]{
		{Name: "mus", Codec: new(textSafe)},
		{Name: "mus unsafe", View: true, Codec: new(textUnsafe)},
	}, nil
}
