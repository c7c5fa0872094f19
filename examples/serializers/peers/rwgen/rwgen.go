package rwgen

import (
	"errors"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
	"github.com/rwgen/rwgen/runtime/record"
)

//go:generate go run ../../internal/loops

// errLeft says that a record ends before its bytes do, which generated code leaves to its callers.
var errLeft = errors.New("rwgen: bytes are left behind the record")

type smallGenerated struct {
	harness.Pool[small.Record, small.Record]
}

func (*smallGenerated) marshal(buffer []byte, v *small.Record) ([]byte, error) {
	n, err := small.RecordSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*smallGenerated) unmarshal(src []byte, v *small.Record) error {
	n, err := small.RecordSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

type smallInterface struct {
	harness.Pool[small.Record, small.Record]
	serializer record.Serializer[small.Record]
}

func (c *smallInterface) marshal(buffer []byte, v *small.Record) ([]byte, error) {
	n, err := c.serializer.Put(buffer, v)
	return buffer[:n], err
}

func (c *smallInterface) unmarshal(src []byte, v *small.Record) error {
	n, err := c.serializer.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

type smallView struct {
	harness.Pool[small.Record, small.View]
}

func (*smallView) marshal(buffer []byte, v *small.View) ([]byte, error) {
	n, err := small.ViewSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*smallView) unmarshal(src []byte, v *small.View) error {
	n, err := small.ViewSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

func (*smallView) from(dst *small.View, src *small.Record) { *dst = small.View(*src) }
func (*smallView) to(dst *small.Record, src *small.View)   { *dst = small.Record(*src) }

// Small returns the rows of the shape.
func Small() ([]harness.Row[small.Record], error) {
	reflective, err := record.Reflect[small.Record]()
	if err != nil {
		return nil, err
	}
	return []harness.Row[small.Record]{
		{Name: "rwgen", Codec: new(smallGenerated)},
		{Name: "rwgen, views", View: true, Codec: new(smallView)},
		{Name: "rwgen, record.Serializer", Codec: &smallInterface{serializer: small.RecordSerializer{}}},
		{Name: "rwgen, record.Reflect", Codec: &smallInterface{serializer: reflective}},
	}, nil
}

type sensorGenerated struct {
	harness.Pool[sensor.Record, sensor.Record]
}

func (*sensorGenerated) marshal(buffer []byte, v *sensor.Record) ([]byte, error) {
	n, err := sensor.RecordSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*sensorGenerated) unmarshal(src []byte, v *sensor.Record) error {
	n, err := sensor.RecordSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

type sensorInterface struct {
	harness.Pool[sensor.Record, sensor.Record]
	serializer record.Serializer[sensor.Record]
}

func (c *sensorInterface) marshal(buffer []byte, v *sensor.Record) ([]byte, error) {
	n, err := c.serializer.Put(buffer, v)
	return buffer[:n], err
}

func (c *sensorInterface) unmarshal(src []byte, v *sensor.Record) error {
	n, err := c.serializer.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

// Sensor returns the rows of the shape.
func Sensor() ([]harness.Row[sensor.Record], error) {
	reflective, err := record.Reflect[sensor.Record]()
	if err != nil {
		return nil, err
	}
	return []harness.Row[sensor.Record]{
		{Name: "rwgen", Codec: new(sensorGenerated)},
		{Name: "rwgen, record.Serializer", Codec: &sensorInterface{serializer: sensor.RecordSerializer{}}},
		{Name: "rwgen, record.Reflect", Codec: &sensorInterface{serializer: reflective}},
	}, nil
}

type orderGenerated struct {
	harness.Pool[order.Record, order.Record]
}

func (*orderGenerated) marshal(buffer []byte, v *order.Record) ([]byte, error) {
	n, err := order.RecordSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*orderGenerated) unmarshal(src []byte, v *order.Record) error {
	n, err := order.RecordSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

type orderInterface struct {
	harness.Pool[order.Record, order.Record]
	serializer record.Serializer[order.Record]
}

func (c *orderInterface) marshal(buffer []byte, v *order.Record) ([]byte, error) {
	n, err := c.serializer.Put(buffer, v)
	return buffer[:n], err
}

func (c *orderInterface) unmarshal(src []byte, v *order.Record) error {
	n, err := c.serializer.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

type orderView struct {
	harness.Pool[order.Record, order.View]
}

func (*orderView) marshal(buffer []byte, v *order.View) ([]byte, error) {
	n, err := order.ViewSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*orderView) unmarshal(src []byte, v *order.View) error {
	n, err := order.ViewSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

func (*orderView) from(dst *order.View, src *order.Record) { dst.FromRecord(src) }
func (*orderView) to(dst *order.Record, src *order.View)   { *dst = src.Record() }

// Order returns the rows of the shape.
func Order() ([]harness.Row[order.Record], error) {
	reflective, err := record.Reflect[order.Record]()
	if err != nil {
		return nil, err
	}
	return []harness.Row[order.Record]{
		{Name: "rwgen", Codec: new(orderGenerated)},
		{Name: "rwgen, views", View: true, Codec: new(orderView)},
		{Name: "rwgen, record.Serializer", Codec: &orderInterface{serializer: order.RecordSerializer{}}},
		{Name: "rwgen, record.Reflect", Codec: &orderInterface{serializer: reflective}},
	}, nil
}

type textGenerated struct {
	harness.Pool[text.Record, text.Record]
}

func (*textGenerated) marshal(buffer []byte, v *text.Record) ([]byte, error) {
	n, err := text.RecordSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*textGenerated) unmarshal(src []byte, v *text.Record) error {
	n, err := text.RecordSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

type textInterface struct {
	harness.Pool[text.Record, text.Record]
	serializer record.Serializer[text.Record]
}

func (c *textInterface) marshal(buffer []byte, v *text.Record) ([]byte, error) {
	n, err := c.serializer.Put(buffer, v)
	return buffer[:n], err
}

func (c *textInterface) unmarshal(src []byte, v *text.Record) error {
	n, err := c.serializer.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

type textView struct {
	harness.Pool[text.Record, text.View]
}

func (*textView) marshal(buffer []byte, v *text.View) ([]byte, error) {
	n, err := text.ViewSerializer{}.Put(buffer, v)
	return buffer[:n], err
}

func (*textView) unmarshal(src []byte, v *text.View) error {
	n, err := text.ViewSerializer{}.Consume(src, v)
	if err == nil && n != len(src) {
		return errLeft
	}
	return err
}

func (*textView) from(dst *text.View, src *text.Record) { *dst = text.View(*src) }
func (*textView) to(dst *text.Record, src *text.View)   { *dst = text.Record(*src) }

// Text returns the rows of the shape.
func Text() ([]harness.Row[text.Record], error) {
	reflective, err := record.Reflect[text.Record]()
	if err != nil {
		return nil, err
	}
	return []harness.Row[text.Record]{
		{Name: "rwgen", Codec: new(textGenerated)},
		{Name: "rwgen, views", View: true, Codec: new(textView)},
		{Name: "rwgen, record.Serializer", Codec: &textInterface{serializer: text.RecordSerializer{}}},
		{Name: "rwgen, record.Reflect", Codec: &textInterface{serializer: reflective}},
	}, nil
}
