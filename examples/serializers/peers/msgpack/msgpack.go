package msgpack

import (
	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/peers/msgpack/msg"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

//go:generate go run ../../internal/loops

type smallMap struct {
	harness.Pool[small.Record, msg.Small]
}

func (*smallMap) marshal(buffer []byte, v *msg.Small) ([]byte, error) {
	return v.MarshalMsg(buffer[:0])
}

func (*smallMap) unmarshal(src []byte, v *msg.Small) error {
	_, err := v.UnmarshalMsg(src)
	return err
}

func (*smallMap) from(dst *msg.Small, src *small.Record) { *dst = msg.Small(*src) }
func (*smallMap) to(dst *small.Record, src *msg.Small)   { *dst = small.Record(*src) }

type smallTuple struct {
	harness.Pool[small.Record, msg.SmallTuple]
}

func (*smallTuple) marshal(buffer []byte, v *msg.SmallTuple) ([]byte, error) {
	return v.MarshalMsg(buffer[:0])
}

func (*smallTuple) unmarshal(src []byte, v *msg.SmallTuple) error {
	_, err := v.UnmarshalMsg(src)
	return err
}

func (*smallTuple) from(dst *msg.SmallTuple, src *small.Record) { *dst = msg.SmallTuple(*src) }
func (*smallTuple) to(dst *small.Record, src *msg.SmallTuple)   { *dst = small.Record(*src) }

// Small returns the rows of the shape.
func Small() ([]harness.Row[small.Record], error) {
	return []harness.Row[small.Record]{
		{Name: "msgp", Codec: new(smallMap)},
		{Name: "msgp tuple", Codec: new(smallTuple)},
	}, nil
}

type sensorMap struct {
	harness.Pool[sensor.Record, msg.Sensor]
}

func (*sensorMap) marshal(buffer []byte, v *msg.Sensor) ([]byte, error) {
	return v.MarshalMsg(buffer[:0])
}

func (*sensorMap) unmarshal(src []byte, v *msg.Sensor) error {
	_, err := v.UnmarshalMsg(src)
	return err
}

func (*sensorMap) from(dst *msg.Sensor, src *sensor.Record) { *dst = msg.Sensor(*src) }
func (*sensorMap) to(dst *sensor.Record, src *msg.Sensor)   { *dst = sensor.Record(*src) }

type sensorTuple struct {
	harness.Pool[sensor.Record, msg.SensorTuple]
}

func (*sensorTuple) marshal(buffer []byte, v *msg.SensorTuple) ([]byte, error) {
	return v.MarshalMsg(buffer[:0])
}

func (*sensorTuple) unmarshal(src []byte, v *msg.SensorTuple) error {
	_, err := v.UnmarshalMsg(src)
	return err
}

func (*sensorTuple) from(dst *msg.SensorTuple, src *sensor.Record) { *dst = msg.SensorTuple(*src) }
func (*sensorTuple) to(dst *sensor.Record, src *msg.SensorTuple)   { *dst = sensor.Record(*src) }

// Sensor returns the rows of the shape.
func Sensor() ([]harness.Row[sensor.Record], error) {
	return []harness.Row[sensor.Record]{
		{Name: "msgp", Codec: new(sensorMap)},
		{Name: "msgp tuple", Codec: new(sensorTuple)},
	}, nil
}

type orderMap struct {
	harness.Pool[order.Record, msg.Order]
}

func (*orderMap) marshal(buffer []byte, v *msg.Order) ([]byte, error) {
	return v.MarshalMsg(buffer[:0])
}

func (*orderMap) unmarshal(src []byte, v *msg.Order) error {
	_, err := v.UnmarshalMsg(src)
	return err
}

func (*orderMap) from(dst *msg.Order, src *order.Record) {
	*dst = msg.Order{
		ID: src.ID, Customer: src.Customer, Created: src.Created, Attributes: src.Attributes, Address: (*msg.Address)(src.Address),
	}
	for _, l := range src.Lines {
		dst.Lines = append(dst.Lines, msg.Line(l))
	}
}

func (*orderMap) to(dst *order.Record, src *msg.Order) {
	*dst = order.Record{
		ID: src.ID, Customer: src.Customer, Created: src.Created, Attributes: src.Attributes, Address: (*order.Address)(src.Address),
	}
	for _, l := range src.Lines {
		dst.Lines = append(dst.Lines, order.Line(l))
	}
}

type orderTuple struct {
	harness.Pool[order.Record, msg.OrderTuple]
}

func (*orderTuple) marshal(buffer []byte, v *msg.OrderTuple) ([]byte, error) {
	return v.MarshalMsg(buffer[:0])
}

func (*orderTuple) unmarshal(src []byte, v *msg.OrderTuple) error {
	_, err := v.UnmarshalMsg(src)
	return err
}

func (*orderTuple) from(dst *msg.OrderTuple, src *order.Record) {
	*dst = msg.OrderTuple{
		ID: src.ID, Customer: src.Customer, Created: src.Created, Attributes: src.Attributes, Address: (*msg.AddressTuple)(src.Address),
	}
	for _, l := range src.Lines {
		dst.Lines = append(dst.Lines, msg.LineTuple(l))
	}
}

func (*orderTuple) to(dst *order.Record, src *msg.OrderTuple) {
	*dst = order.Record{
		ID: src.ID, Customer: src.Customer, Created: src.Created, Attributes: src.Attributes, Address: (*order.Address)(src.Address),
	}
	for _, l := range src.Lines {
		dst.Lines = append(dst.Lines, order.Line(l))
	}
}

// Order returns the rows of the shape.
func Order() ([]harness.Row[order.Record], error) {
	return []harness.Row[order.Record]{
		{Name: "msgp", Codec: new(orderMap)},
		{Name: "msgp tuple", Codec: new(orderTuple)},
	}, nil
}

type textMap struct {
	harness.Pool[text.Record, msg.Text]
}

func (*textMap) marshal(buffer []byte, v *msg.Text) ([]byte, error) {
	return v.MarshalMsg(buffer[:0])
}

func (*textMap) unmarshal(src []byte, v *msg.Text) error {
	_, err := v.UnmarshalMsg(src)
	return err
}

func (*textMap) from(dst *msg.Text, src *text.Record) { *dst = msg.Text(*src) }
func (*textMap) to(dst *text.Record, src *msg.Text)   { *dst = text.Record(*src) }

type textTuple struct {
	harness.Pool[text.Record, msg.TextTuple]
}

func (*textTuple) marshal(buffer []byte, v *msg.TextTuple) ([]byte, error) {
	return v.MarshalMsg(buffer[:0])
}

func (*textTuple) unmarshal(src []byte, v *msg.TextTuple) error {
	_, err := v.UnmarshalMsg(src)
	return err
}

func (*textTuple) from(dst *msg.TextTuple, src *text.Record) { *dst = msg.TextTuple(*src) }
func (*textTuple) to(dst *text.Record, src *msg.TextTuple)   { *dst = text.Record(*src) }

// Text returns the rows of the shape.
func Text() ([]harness.Row[text.Record], error) {
	return []harness.Row[text.Record]{
		{Name: "msgp", Codec: new(textMap)},
		{Name: "msgp tuple", Codec: new(textTuple)},
	}, nil
}
