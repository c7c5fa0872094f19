package protobuf

import (
	"google.golang.org/protobuf/proto"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/peers/protobuf/pb"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

//go:generate go run ../../internal/loops

type smallOfficial struct {
	harness.Pool[small.Record, pb.Small]
}

func (*smallOfficial) marshal(buffer []byte, v *pb.Small) ([]byte, error) {
	return proto.MarshalOptions{}.MarshalAppend(buffer[:0], v)
}

func (*smallOfficial) unmarshal(src []byte, v *pb.Small) error { return proto.Unmarshal(src, v) }
func (*smallOfficial) from(dst *pb.Small, src *small.Record)   { smallFrom(dst, src) }
func (*smallOfficial) to(dst *small.Record, src *pb.Small)     { smallTo(dst, src) }

type smallVT struct {
	harness.Pool[small.Record, pb.Small]
}

func (*smallVT) marshal(buffer []byte, v *pb.Small) ([]byte, error) {
	n, err := v.MarshalToSizedBufferVT(buffer[:v.SizeVT()])
	return buffer[:n], err
}

func (c *smallVT) unmarshal(src []byte, v *pb.Small) error {
	if !c.Stale {
		v.ResetVT()
	}
	return v.UnmarshalVT(src)
}

func (*smallVT) from(dst *pb.Small, src *small.Record) { smallFrom(dst, src) }
func (*smallVT) to(dst *small.Record, src *pb.Small)   { smallTo(dst, src) }

type smallUnsafe struct {
	harness.Pool[small.Record, pb.Small]
}

func (*smallUnsafe) marshal(buffer []byte, v *pb.Small) ([]byte, error) {
	n, err := v.MarshalToSizedBufferVT(buffer[:v.SizeVT()])
	return buffer[:n], err
}

func (c *smallUnsafe) unmarshal(src []byte, v *pb.Small) error {
	if !c.Stale {
		v.ResetVT()
	}
	return v.UnmarshalVTUnsafe(src)
}

func (*smallUnsafe) from(dst *pb.Small, src *small.Record) { smallFrom(dst, src) }
func (*smallUnsafe) to(dst *small.Record, src *pb.Small)   { smallTo(dst, src) }

// Small returns the rows of the shape.
func Small() ([]harness.Row[small.Record], error) {
	return []harness.Row[small.Record]{
		{Name: "vtprotobuf", Stale: true, Codec: new(smallVT)},
		{Name: "vtprotobuf unsafe", View: true, Stale: true, Codec: new(smallUnsafe)},
		{Name: "protobuf", Codec: new(smallOfficial)},
	}, nil
}

type sensorOfficial struct {
	harness.Pool[sensor.Record, pb.Sensor]
}

func (*sensorOfficial) marshal(buffer []byte, v *pb.Sensor) ([]byte, error) {
	return proto.MarshalOptions{}.MarshalAppend(buffer[:0], v)
}

func (*sensorOfficial) unmarshal(src []byte, v *pb.Sensor) error { return proto.Unmarshal(src, v) }
func (*sensorOfficial) from(dst *pb.Sensor, src *sensor.Record)  { sensorFrom(dst, src) }
func (*sensorOfficial) to(dst *sensor.Record, src *pb.Sensor)    { sensorTo(dst, src) }

type sensorVT struct {
	harness.Pool[sensor.Record, pb.Sensor]
}

func (*sensorVT) marshal(buffer []byte, v *pb.Sensor) ([]byte, error) {
	n, err := v.MarshalToSizedBufferVT(buffer[:v.SizeVT()])
	return buffer[:n], err
}

func (c *sensorVT) unmarshal(src []byte, v *pb.Sensor) error {
	if !c.Stale {
		v.ResetVT()
	}
	return v.UnmarshalVT(src)
}

func (*sensorVT) from(dst *pb.Sensor, src *sensor.Record) { sensorFrom(dst, src) }
func (*sensorVT) to(dst *sensor.Record, src *pb.Sensor)   { sensorTo(dst, src) }

type sensorUnsafe struct {
	harness.Pool[sensor.Record, pb.Sensor]
}

func (*sensorUnsafe) marshal(buffer []byte, v *pb.Sensor) ([]byte, error) {
	n, err := v.MarshalToSizedBufferVT(buffer[:v.SizeVT()])
	return buffer[:n], err
}

func (c *sensorUnsafe) unmarshal(src []byte, v *pb.Sensor) error {
	if !c.Stale {
		v.ResetVT()
	}
	return v.UnmarshalVTUnsafe(src)
}

func (*sensorUnsafe) from(dst *pb.Sensor, src *sensor.Record) { sensorFrom(dst, src) }
func (*sensorUnsafe) to(dst *sensor.Record, src *pb.Sensor)   { sensorTo(dst, src) }

// Sensor returns the rows of the shape.
func Sensor() ([]harness.Row[sensor.Record], error) {
	return []harness.Row[sensor.Record]{
		{Name: "vtprotobuf", Stale: true, Codec: new(sensorVT)},
		{Name: "vtprotobuf unsafe", View: false, Stale: true, Codec: new(sensorUnsafe)},
		{Name: "protobuf", Codec: new(sensorOfficial)},
	}, nil
}

type orderOfficial struct {
	harness.Pool[order.Record, pb.Order]
}

func (*orderOfficial) marshal(buffer []byte, v *pb.Order) ([]byte, error) {
	return proto.MarshalOptions{}.MarshalAppend(buffer[:0], v)
}

func (*orderOfficial) unmarshal(src []byte, v *pb.Order) error { return proto.Unmarshal(src, v) }
func (*orderOfficial) from(dst *pb.Order, src *order.Record)   { orderFrom(dst, src) }
func (*orderOfficial) to(dst *order.Record, src *pb.Order)     { orderTo(dst, src) }

type orderVT struct {
	harness.Pool[order.Record, pb.Order]
}

func (*orderVT) marshal(buffer []byte, v *pb.Order) ([]byte, error) {
	n, err := v.MarshalToSizedBufferVT(buffer[:v.SizeVT()])
	return buffer[:n], err
}

func (c *orderVT) unmarshal(src []byte, v *pb.Order) error {
	if !c.Stale {
		v.ResetVT()
	}
	return v.UnmarshalVT(src)
}

func (*orderVT) from(dst *pb.Order, src *order.Record) { orderFrom(dst, src) }
func (*orderVT) to(dst *order.Record, src *pb.Order)   { orderTo(dst, src) }

type orderUnsafe struct {
	harness.Pool[order.Record, pb.Order]
}

func (*orderUnsafe) marshal(buffer []byte, v *pb.Order) ([]byte, error) {
	n, err := v.MarshalToSizedBufferVT(buffer[:v.SizeVT()])
	return buffer[:n], err
}

func (c *orderUnsafe) unmarshal(src []byte, v *pb.Order) error {
	if !c.Stale {
		v.ResetVT()
	}
	return v.UnmarshalVTUnsafe(src)
}

func (*orderUnsafe) from(dst *pb.Order, src *order.Record) { orderFrom(dst, src) }
func (*orderUnsafe) to(dst *order.Record, src *pb.Order)   { orderTo(dst, src) }

// Order returns the rows of the shape.
func Order() ([]harness.Row[order.Record], error) {
	return []harness.Row[order.Record]{
		{Name: "vtprotobuf", Stale: true, Codec: new(orderVT)},
		{Name: "vtprotobuf unsafe", View: true, Stale: true, Codec: new(orderUnsafe)},
		{Name: "protobuf", Codec: new(orderOfficial)},
	}, nil
}

type textOfficial struct {
	harness.Pool[text.Record, pb.Text]
}

func (*textOfficial) marshal(buffer []byte, v *pb.Text) ([]byte, error) {
	return proto.MarshalOptions{}.MarshalAppend(buffer[:0], v)
}

func (*textOfficial) unmarshal(src []byte, v *pb.Text) error { return proto.Unmarshal(src, v) }
func (*textOfficial) from(dst *pb.Text, src *text.Record)    { textFrom(dst, src) }
func (*textOfficial) to(dst *text.Record, src *pb.Text)      { textTo(dst, src) }

type textVT struct {
	harness.Pool[text.Record, pb.Text]
}

func (*textVT) marshal(buffer []byte, v *pb.Text) ([]byte, error) {
	n, err := v.MarshalToSizedBufferVT(buffer[:v.SizeVT()])
	return buffer[:n], err
}

func (c *textVT) unmarshal(src []byte, v *pb.Text) error {
	if !c.Stale {
		v.ResetVT()
	}
	return v.UnmarshalVT(src)
}

func (*textVT) from(dst *pb.Text, src *text.Record) { textFrom(dst, src) }
func (*textVT) to(dst *text.Record, src *pb.Text)   { textTo(dst, src) }

type textUnsafe struct {
	harness.Pool[text.Record, pb.Text]
}

func (*textUnsafe) marshal(buffer []byte, v *pb.Text) ([]byte, error) {
	n, err := v.MarshalToSizedBufferVT(buffer[:v.SizeVT()])
	return buffer[:n], err
}

func (c *textUnsafe) unmarshal(src []byte, v *pb.Text) error {
	if !c.Stale {
		v.ResetVT()
	}
	return v.UnmarshalVTUnsafe(src)
}

func (*textUnsafe) from(dst *pb.Text, src *text.Record) { textFrom(dst, src) }
func (*textUnsafe) to(dst *text.Record, src *pb.Text)   { textTo(dst, src) }

// Text returns the rows of the shape.
func Text() ([]harness.Row[text.Record], error) {
	return []harness.Row[text.Record]{
		{Name: "vtprotobuf", Stale: true, Codec: new(textVT)},
		{Name: "vtprotobuf unsafe", View: true, Stale: true, Codec: new(textUnsafe)},
		{Name: "protobuf", Codec: new(textOfficial)},
	}, nil
}
