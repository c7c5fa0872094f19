package std

import (
	"bytes"
	"encoding/gob"
	"encoding/json"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

//go:generate go run ../../internal/loops

// stream is a gob encoder and a gob decoder that have sent and received the type, so that what follows are values only: gob is made for
// streams, and of a single value the type takes most of the bytes and of the time.
type stream struct {
	out     bytes.Buffer
	in      bytes.Reader
	encoder *gob.Encoder
	decoder *gob.Decoder
}

// start sends and receives the type by way of the value that v points to.
func (s *stream) start(v any) error {
	s.encoder, s.decoder = gob.NewEncoder(&s.out), gob.NewDecoder(&s.in)
	if err := s.encoder.Encode(v); err != nil {
		return err
	}
	s.in.Reset(bytes.Clone(s.out.Bytes()))
	return s.decoder.Decode(v)
}

func (s *stream) encode(v any) ([]byte, error) {
	s.out.Reset()
	err := s.encoder.Encode(v)
	return s.out.Bytes(), err
}

func (s *stream) decode(src []byte, v any) error {
	s.in.Reset(src)
	return s.decoder.Decode(v)
}

type smallJSON struct {
	harness.Pool[small.Record, small.Record]
	out     bytes.Buffer
	encoder *json.Encoder
}

func (c *smallJSON) marshal(_ []byte, v *small.Record) ([]byte, error) {
	c.out.Reset()
	err := c.encoder.Encode(v)
	return c.out.Bytes(), err
}

func (c *smallJSON) unmarshal(src []byte, v *small.Record) error {
	if !c.Stale {
		*v = small.Record{}
	}
	return json.Unmarshal(src, v)
}

func newSmallJSON() *smallJSON {
	c := new(smallJSON)
	c.encoder = json.NewEncoder(&c.out)
	return c
}

type smallGob struct {
	harness.Pool[small.Record, small.Record]
	stream stream
}

func (c *smallGob) marshal(_ []byte, v *small.Record) ([]byte, error) { return c.stream.encode(v) }

func (c *smallGob) unmarshal(src []byte, v *small.Record) error {
	if !c.Stale {
		*v = small.Record{}
	}
	return c.stream.decode(src, v)
}

// Small returns the rows of the shape.
func Small() ([]harness.Row[small.Record], error) {
	c := new(smallGob)
	if err := c.stream.start(new(small.Record)); err != nil {
		return nil, err
	}
	return []harness.Row[small.Record]{
		{Name: "encoding/gob", Stale: true, Codec: c},
		{Name: "encoding/json", Stale: false, Codec: newSmallJSON()},
	}, nil
}

type sensorJSON struct {
	harness.Pool[sensor.Record, sensor.Record]
	out     bytes.Buffer
	encoder *json.Encoder
}

func (c *sensorJSON) marshal(_ []byte, v *sensor.Record) ([]byte, error) {
	c.out.Reset()
	err := c.encoder.Encode(v)
	return c.out.Bytes(), err
}

func (c *sensorJSON) unmarshal(src []byte, v *sensor.Record) error {
	if !c.Stale {
		*v = sensor.Record{}
	}
	return json.Unmarshal(src, v)
}

func newSensorJSON() *sensorJSON {
	c := new(sensorJSON)
	c.encoder = json.NewEncoder(&c.out)
	return c
}

type sensorGob struct {
	harness.Pool[sensor.Record, sensor.Record]
	stream stream
}

func (c *sensorGob) marshal(_ []byte, v *sensor.Record) ([]byte, error) { return c.stream.encode(v) }

func (c *sensorGob) unmarshal(src []byte, v *sensor.Record) error {
	if !c.Stale {
		*v = sensor.Record{}
	}
	return c.stream.decode(src, v)
}

// Sensor returns the rows of the shape.
func Sensor() ([]harness.Row[sensor.Record], error) {
	c := new(sensorGob)
	if err := c.stream.start(new(sensor.Record)); err != nil {
		return nil, err
	}
	return []harness.Row[sensor.Record]{
		{Name: "encoding/gob", Stale: true, Codec: c},
		{Name: "encoding/json", Stale: false, Codec: newSensorJSON()},
	}, nil
}

type orderJSON struct {
	harness.Pool[order.Record, order.Record]
	out     bytes.Buffer
	encoder *json.Encoder
}

func (c *orderJSON) marshal(_ []byte, v *order.Record) ([]byte, error) {
	c.out.Reset()
	err := c.encoder.Encode(v)
	return c.out.Bytes(), err
}

func (c *orderJSON) unmarshal(src []byte, v *order.Record) error {
	if !c.Stale {
		*v = order.Record{}
	}
	return json.Unmarshal(src, v)
}

func newOrderJSON() *orderJSON {
	c := new(orderJSON)
	c.encoder = json.NewEncoder(&c.out)
	return c
}

type orderGob struct {
	harness.Pool[order.Record, order.Record]
	stream stream
}

func (c *orderGob) marshal(_ []byte, v *order.Record) ([]byte, error) { return c.stream.encode(v) }

func (c *orderGob) unmarshal(src []byte, v *order.Record) error {
	if !c.Stale {
		*v = order.Record{}
	}
	return c.stream.decode(src, v)
}

// Order returns the rows of the shape.
func Order() ([]harness.Row[order.Record], error) {
	c := new(orderGob)
	if err := c.stream.start(new(order.Record)); err != nil {
		return nil, err
	}
	return []harness.Row[order.Record]{
		{Name: "encoding/gob", Stale: true, Codec: c},
		{Name: "encoding/json", Stale: true, Codec: newOrderJSON()},
	}, nil
}

type textJSON struct {
	harness.Pool[text.Record, text.Record]
	out     bytes.Buffer
	encoder *json.Encoder
}

func (c *textJSON) marshal(_ []byte, v *text.Record) ([]byte, error) {
	c.out.Reset()
	err := c.encoder.Encode(v)
	return c.out.Bytes(), err
}

func (c *textJSON) unmarshal(src []byte, v *text.Record) error {
	if !c.Stale {
		*v = text.Record{}
	}
	return json.Unmarshal(src, v)
}

func newTextJSON() *textJSON {
	c := new(textJSON)
	c.encoder = json.NewEncoder(&c.out)
	return c
}

type textGob struct {
	harness.Pool[text.Record, text.Record]
	stream stream
}

func (c *textGob) marshal(_ []byte, v *text.Record) ([]byte, error) { return c.stream.encode(v) }

func (c *textGob) unmarshal(src []byte, v *text.Record) error {
	if !c.Stale {
		*v = text.Record{}
	}
	return c.stream.decode(src, v)
}

// Text returns the rows of the shape.
func Text() ([]harness.Row[text.Record], error) {
	c := new(textGob)
	if err := c.stream.start(new(text.Record)); err != nil {
		return nil, err
	}
	return []harness.Row[text.Record]{
		{Name: "encoding/gob", Stale: true, Codec: c},
		{Name: "encoding/json", Stale: false, Codec: newTextJSON()},
	}, nil
}
