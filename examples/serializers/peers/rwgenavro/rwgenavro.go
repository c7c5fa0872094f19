package rwgenavro

import (
	"errors"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/peers/rwgenavro/schemas"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

//go:generate go run ../../internal/loops

// errLeft says that a record ends before its bytes do, which generated code leaves to its callers.
var errLeft = errors.New("rwgenavro: bytes are left behind the record")

type smallGenerated struct {
	harness.Pool[small.Record, schemas.Small]
}

func (*smallGenerated) marshal(buffer []byte, v *schemas.Small) ([]byte, error) {
	n, err := schemas.SmallSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*smallGenerated) unmarshal(src []byte, v *schemas.Small) error {
	n, err := schemas.SmallSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

func (*smallGenerated) from(dst *schemas.Small, src *small.Record) { smallFrom(dst, src) }
func (*smallGenerated) to(dst *small.Record, src *schemas.Small)   { smallTo(dst, src) }

// Small returns the rows of the shape.
func Small() ([]harness.Row[small.Record], error) {
	return []harness.Row[small.Record]{{Name: "rwgen avro", Codec: &smallGenerated{}}}, nil
}

type sensorGenerated struct {
	harness.Pool[sensor.Record, schemas.Sensor]
}

func (*sensorGenerated) marshal(buffer []byte, v *schemas.Sensor) ([]byte, error) {
	n, err := schemas.SensorSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*sensorGenerated) unmarshal(src []byte, v *schemas.Sensor) error {
	n, err := schemas.SensorSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

func (*sensorGenerated) from(dst *schemas.Sensor, src *sensor.Record) { sensorFrom(dst, src) }
func (*sensorGenerated) to(dst *sensor.Record, src *schemas.Sensor)   { sensorTo(dst, src) }

// Sensor returns the rows of the shape.
func Sensor() ([]harness.Row[sensor.Record], error) {
	return []harness.Row[sensor.Record]{{Name: "rwgen avro", Codec: &sensorGenerated{}}}, nil
}

type orderGenerated struct {
	harness.Pool[order.Record, schemas.Order]
}

func (*orderGenerated) marshal(buffer []byte, v *schemas.Order) ([]byte, error) {
	n, err := schemas.OrderSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*orderGenerated) unmarshal(src []byte, v *schemas.Order) error {
	n, err := schemas.OrderSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

func (*orderGenerated) from(dst *schemas.Order, src *order.Record) { orderFrom(dst, src) }
func (*orderGenerated) to(dst *order.Record, src *schemas.Order)   { orderTo(dst, src) }

// Order returns the rows of the shape.
func Order() ([]harness.Row[order.Record], error) {
	return []harness.Row[order.Record]{{Name: "rwgen avro", Codec: &orderGenerated{}}}, nil
}

type textGenerated struct {
	harness.Pool[text.Record, schemas.Text]
}

func (*textGenerated) marshal(buffer []byte, v *schemas.Text) ([]byte, error) {
	n, err := schemas.TextSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*textGenerated) unmarshal(src []byte, v *schemas.Text) error {
	n, err := schemas.TextSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

func (*textGenerated) from(dst *schemas.Text, src *text.Record) { textFrom(dst, src) }
func (*textGenerated) to(dst *text.Record, src *schemas.Text)   { textTo(dst, src) }

// Text returns the rows of the shape.
func Text() ([]harness.Row[text.Record], error) {
	return []harness.Row[text.Record]{{Name: "rwgen avro", Codec: &textGenerated{}}}, nil
}
