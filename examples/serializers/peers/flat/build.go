package flat

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

func buildSmall(b *flatbuffers.Builder, v *small.Record) []byte {
	b.Reset()
	name, phone := b.CreateString(v.Name), b.CreateString(v.Phone)
	b.StartObject(6)
	b.PrependUOffsetTSlot(0, name, 0)
	b.PrependInt64Slot(1, v.BirthDay, 0)
	b.PrependUOffsetTSlot(2, phone, 0)
	b.PrependInt64Slot(3, int64(v.Siblings), 0)
	b.PrependBoolSlot(4, v.Spouse, false)
	b.PrependFloat64Slot(5, v.Money, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

func buildSensor(b *flatbuffers.Builder, v *sensor.Record) []byte {
	b.Reset()
	b.StartObject(12)
	b.PrependUint64Slot(0, v.Device, 0)
	b.PrependUint64Slot(1, v.Sequence, 0)
	b.PrependInt32Slot(2, v.X, 0)
	b.PrependInt32Slot(3, v.Y, 0)
	b.PrependFloat64Slot(4, v.Temperature, 0)
	b.PrependFloat64Slot(5, v.Pressure, 0)
	b.PrependFloat64Slot(6, v.Humidity, 0)
	b.PrependFloat64Slot(7, v.Voltage, 0)
	b.PrependFloat64Slot(8, v.Latitude, 0)
	b.PrependFloat64Slot(9, v.Longitude, 0)
	b.PrependBoolSlot(10, v.Valid, false)
	b.PrependUint8Slot(11, v.Quality, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

func buildText(b *flatbuffers.Builder, v *text.Record) []byte {
	b.Reset()
	t, data := b.CreateString(v.Text), b.CreateByteVector(v.Data)
	b.StartObject(3)
	b.PrependUOffsetTSlot(0, t, 0)
	b.PrependUOffsetTSlot(1, data, 0)
	b.PrependInt64Slot(2, v.Time, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

// offsets are those of the tables of one vector, which are built before the vector.
type offsets []flatbuffers.UOffsetT

// vector builds the vector of the offsets.
func (o offsets) vector(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	b.StartVector(4, len(o), 4)
	for i := len(o) - 1; i >= 0; i-- {
		b.PrependUOffsetT(o[i])
	}
	return b.EndVector(len(o))
}

// orderBuilder builds orders with memory that it reuses.
type orderBuilder struct {
	lines, tags, attributes offsets
}

func (o *orderBuilder) build(b *flatbuffers.Builder, v *order.Record) []byte {
	b.Reset()
	o.lines, o.attributes = o.lines[:0], o.attributes[:0]
	customer := b.CreateString(v.Customer)
	for i := range v.Lines {
		o.lines = append(o.lines, o.line(b, &v.Lines[i]))
	}
	lines := o.lines.vector(b)
	for key, value := range v.Attributes {
		k, v := b.CreateString(key), b.CreateString(value)
		b.StartObject(2)
		b.PrependUOffsetTSlot(0, k, 0)
		b.PrependUOffsetTSlot(1, v, 0)
		o.attributes = append(o.attributes, b.EndObject())
	}
	attributes := o.attributes.vector(b)
	var address flatbuffers.UOffsetT
	if a := v.Address; a != nil {
		street, city, country := b.CreateString(a.Street), b.CreateString(a.City), b.CreateString(a.Country)
		b.StartObject(3)
		b.PrependUOffsetTSlot(0, street, 0)
		b.PrependUOffsetTSlot(1, city, 0)
		b.PrependUOffsetTSlot(2, country, 0)
		address = b.EndObject()
	}
	b.StartObject(6)
	b.PrependUint64Slot(0, v.ID, 0)
	b.PrependUOffsetTSlot(1, customer, 0)
	b.PrependInt64Slot(2, v.Created, 0)
	b.PrependUOffsetTSlot(3, lines, 0)
	b.PrependUOffsetTSlot(4, attributes, 0)
	b.PrependUOffsetTSlot(5, address, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

func (o *orderBuilder) line(b *flatbuffers.Builder, l *order.Line) flatbuffers.UOffsetT {
	sku := b.CreateString(l.SKU)
	o.tags = o.tags[:0]
	for _, tag := range l.Tags {
		o.tags = append(o.tags, b.CreateString(tag))
	}
	tags := o.tags.vector(b)
	b.StartObject(4)
	b.PrependUOffsetTSlot(0, sku, 0)
	b.PrependInt32Slot(1, l.Qty, 0)
	b.PrependFloat64Slot(2, l.Price, 0)
	b.PrependUOffsetTSlot(3, tags, 0)
	return b.EndObject()
}
