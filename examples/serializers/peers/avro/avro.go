package avro

import (
	hamba "github.com/hamba/avro/v2"
	"github.com/twmb/avro"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

//go:generate go run ../../internal/loops

type smallTwmb struct {
	harness.Pool[small.Record, small.Record]
	schema *avro.Schema
}

func (c *smallTwmb) marshal(buffer []byte, v *small.Record) ([]byte, error) {
	return c.schema.AppendEncode(buffer[:0], v)
}

func (c *smallTwmb) unmarshal(src []byte, v *small.Record) error {
	_, err := c.schema.Decode(src, v)
	return err
}

type smallAlias struct {
	harness.Pool[small.Record, small.Record]
	schema  *avro.Schema
	options []avro.Opt
}

func (c *smallAlias) marshal(buffer []byte, v *small.Record) ([]byte, error) {
	return c.schema.AppendEncode(buffer[:0], v)
}

func (c *smallAlias) unmarshal(src []byte, v *small.Record) error {
	_, err := c.schema.Decode(src, v, c.options...)
	return err
}

type smallHamba struct {
	harness.Pool[small.Record, small.Record]
	schema hamba.Schema
	writer *hamba.Writer
	reader *hamba.Reader
}

func (c *smallHamba) marshal(_ []byte, v *small.Record) ([]byte, error) {
	c.writer.Reset(nil)
	c.writer.WriteVal(c.schema, v)
	return c.writer.Buffer(), c.writer.Error
}

func (c *smallHamba) unmarshal(src []byte, v *small.Record) error {
	c.reader.Reset(src)
	c.reader.ReadVal(c.schema, v)
	return c.reader.Error
}

// Small returns the rows of the shape.
func Small() ([]harness.Row[small.Record], error) {
	schema, err := avro.Parse(smallSchema)
	if err != nil {
		return nil, err
	}
	other, err := hamba.Parse(smallSchema)
	if err != nil {
		return nil, err
	}
	return []harness.Row[small.Record]{
		{Name: "twmb/avro", Stale: false, Codec: &smallTwmb{schema: schema}},
		{Name: "twmb/avro AliasInput", View: true, Stale: false, Codec: &smallAlias{schema: schema, options: []avro.Opt{avro.AliasInput()}}},
		{Name: "hamba/avro", Stale: false, Codec: &smallHamba{schema: other, writer: hamba.NewWriter(nil, 512), reader: hamba.NewReader(nil, 0)}},
	}, nil
}

type sensorTwmb struct {
	harness.Pool[sensor.Record, sensorRecord]
	schema *avro.Schema
}

func (c *sensorTwmb) marshal(buffer []byte, v *sensorRecord) ([]byte, error) {
	return c.schema.AppendEncode(buffer[:0], v)
}

func (c *sensorTwmb) unmarshal(src []byte, v *sensorRecord) error {
	_, err := c.schema.Decode(src, v)
	return err
}

func (*sensorTwmb) from(dst *sensorRecord, src *sensor.Record) { sensorFrom(dst, src) }
func (*sensorTwmb) to(dst *sensor.Record, src *sensorRecord)   { sensorTo(dst, src) }

type sensorAlias struct {
	harness.Pool[sensor.Record, sensorRecord]
	schema  *avro.Schema
	options []avro.Opt
}

func (c *sensorAlias) marshal(buffer []byte, v *sensorRecord) ([]byte, error) {
	return c.schema.AppendEncode(buffer[:0], v)
}

func (c *sensorAlias) unmarshal(src []byte, v *sensorRecord) error {
	_, err := c.schema.Decode(src, v, c.options...)
	return err
}

func (*sensorAlias) from(dst *sensorRecord, src *sensor.Record) { sensorFrom(dst, src) }
func (*sensorAlias) to(dst *sensor.Record, src *sensorRecord)   { sensorTo(dst, src) }

type sensorHamba struct {
	harness.Pool[sensor.Record, sensorRecord]
	schema hamba.Schema
	writer *hamba.Writer
	reader *hamba.Reader
}

func (c *sensorHamba) marshal(_ []byte, v *sensorRecord) ([]byte, error) {
	c.writer.Reset(nil)
	c.writer.WriteVal(c.schema, v)
	return c.writer.Buffer(), c.writer.Error
}

func (c *sensorHamba) unmarshal(src []byte, v *sensorRecord) error {
	c.reader.Reset(src)
	c.reader.ReadVal(c.schema, v)
	return c.reader.Error
}

func (*sensorHamba) from(dst *sensorRecord, src *sensor.Record) { sensorFrom(dst, src) }
func (*sensorHamba) to(dst *sensor.Record, src *sensorRecord)   { sensorTo(dst, src) }

// Sensor returns the rows of the shape.
func Sensor() ([]harness.Row[sensor.Record], error) {
	schema, err := avro.Parse(sensorSchema)
	if err != nil {
		return nil, err
	}
	other, err := hamba.Parse(sensorSchema)
	if err != nil {
		return nil, err
	}
	return []harness.Row[sensor.Record]{
		{Name: "twmb/avro", Stale: false, Codec: &sensorTwmb{schema: schema}},
		{Name: "twmb/avro AliasInput", View: false, Stale: false, Codec: &sensorAlias{schema: schema, options: []avro.Opt{avro.AliasInput()}}},
		{Name: "hamba/avro", Stale: false, Codec: &sensorHamba{schema: other, writer: hamba.NewWriter(nil, 512), reader: hamba.NewReader(nil, 0)}},
	}, nil
}

type orderTwmb struct {
	harness.Pool[order.Record, orderRecord]
	schema *avro.Schema
}

func (c *orderTwmb) marshal(buffer []byte, v *orderRecord) ([]byte, error) {
	return c.schema.AppendEncode(buffer[:0], v)
}

func (c *orderTwmb) unmarshal(src []byte, v *orderRecord) error {
	if !c.Stale {
		reset(v)
	}
	_, err := c.schema.Decode(src, v)
	return err
}

func (*orderTwmb) from(dst *orderRecord, src *order.Record) { orderFrom(dst, src) }
func (*orderTwmb) to(dst *order.Record, src *orderRecord)   { orderTo(dst, src) }

type orderAlias struct {
	harness.Pool[order.Record, orderRecord]
	schema  *avro.Schema
	options []avro.Opt
}

func (c *orderAlias) marshal(buffer []byte, v *orderRecord) ([]byte, error) {
	return c.schema.AppendEncode(buffer[:0], v)
}

func (c *orderAlias) unmarshal(src []byte, v *orderRecord) error {
	if !c.Stale {
		reset(v)
	}
	_, err := c.schema.Decode(src, v, c.options...)
	return err
}

func (*orderAlias) from(dst *orderRecord, src *order.Record) { orderFrom(dst, src) }
func (*orderAlias) to(dst *order.Record, src *orderRecord)   { orderTo(dst, src) }

type orderHamba struct {
	harness.Pool[order.Record, orderRecord]
	schema hamba.Schema
	writer *hamba.Writer
	reader *hamba.Reader
}

func (c *orderHamba) marshal(_ []byte, v *orderRecord) ([]byte, error) {
	c.writer.Reset(nil)
	c.writer.WriteVal(c.schema, v)
	return c.writer.Buffer(), c.writer.Error
}

func (c *orderHamba) unmarshal(src []byte, v *orderRecord) error {
	if !c.Stale {
		reset(v)
	}
	c.reader.Reset(src)
	c.reader.ReadVal(c.schema, v)
	return c.reader.Error
}

func (*orderHamba) from(dst *orderRecord, src *order.Record) { orderFrom(dst, src) }
func (*orderHamba) to(dst *order.Record, src *orderRecord)   { orderTo(dst, src) }

// Order returns the rows of the shape.
func Order() ([]harness.Row[order.Record], error) {
	schema, err := avro.Parse(orderSchema)
	if err != nil {
		return nil, err
	}
	other, err := hamba.Parse(orderSchema)
	if err != nil {
		return nil, err
	}
	return []harness.Row[order.Record]{
		{Name: "twmb/avro", Stale: true, Codec: &orderTwmb{schema: schema}},
		{Name: "twmb/avro AliasInput", View: true, Stale: true, Codec: &orderAlias{schema: schema, options: []avro.Opt{avro.AliasInput()}}},
		{Name: "hamba/avro", Stale: true, Codec: &orderHamba{schema: other, writer: hamba.NewWriter(nil, 512), reader: hamba.NewReader(nil, 0)}},
	}, nil
}

type textTwmb struct {
	harness.Pool[text.Record, text.Record]
	schema *avro.Schema
}

func (c *textTwmb) marshal(buffer []byte, v *text.Record) ([]byte, error) {
	return c.schema.AppendEncode(buffer[:0], v)
}

func (c *textTwmb) unmarshal(src []byte, v *text.Record) error {
	_, err := c.schema.Decode(src, v)
	return err
}

type textAlias struct {
	harness.Pool[text.Record, text.Record]
	schema  *avro.Schema
	options []avro.Opt
}

func (c *textAlias) marshal(buffer []byte, v *text.Record) ([]byte, error) {
	return c.schema.AppendEncode(buffer[:0], v)
}

func (c *textAlias) unmarshal(src []byte, v *text.Record) error {
	_, err := c.schema.Decode(src, v, c.options...)
	return err
}

type textHamba struct {
	harness.Pool[text.Record, text.Record]
	schema hamba.Schema
	writer *hamba.Writer
	reader *hamba.Reader
}

func (c *textHamba) marshal(_ []byte, v *text.Record) ([]byte, error) {
	c.writer.Reset(nil)
	c.writer.WriteVal(c.schema, v)
	return c.writer.Buffer(), c.writer.Error
}

func (c *textHamba) unmarshal(src []byte, v *text.Record) error {
	c.reader.Reset(src)
	c.reader.ReadVal(c.schema, v)
	return c.reader.Error
}

// Text returns the rows of the shape.
func Text() ([]harness.Row[text.Record], error) {
	schema, err := avro.Parse(textSchema)
	if err != nil {
		return nil, err
	}
	other, err := hamba.Parse(textSchema)
	if err != nil {
		return nil, err
	}
	return []harness.Row[text.Record]{
		{Name: "twmb/avro", Stale: false, Codec: &textTwmb{schema: schema}},
		{Name: "twmb/avro AliasInput", View: true, Stale: false, Codec: &textAlias{schema: schema, options: []avro.Opt{avro.AliasInput()}}},
		{Name: "hamba/avro", Stale: false, Codec: &textHamba{schema: other, writer: hamba.NewWriter(nil, 512), reader: hamba.NewReader(nil, 0)}},
	}, nil
}
