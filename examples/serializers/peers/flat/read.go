package flat

import (
	"slices"
	"unsafe"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

// root returns the table of a finished buffer.
func root(src []byte) flatbuffers.Table {
	return flatbuffers.Table{Bytes: src, Pos: flatbuffers.GetUOffsetT(src)}
}

// slot is the place of field i in the vtable.
func slot(i int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(4 + 2*i) }

// vector returns the bytes of a vector of bytes, or of a string, which are part of the buffer.
func vector(t *flatbuffers.Table, field int) []byte {
	if o := flatbuffers.UOffsetT(t.Offset(slot(field))); o != 0 {
		return t.ByteVector(o + t.Pos)
	}
	return nil
}

// str is a string field, with view as part of the buffer.
func str(t *flatbuffers.Table, field int, view bool) string { return asString(vector(t, field), view) }

func asString(b []byte, view bool) string {
	if view {
		return unsafe.String(unsafe.SliceData(b), len(b))
	}
	return string(b)
}

// tables returns where the offsets of a vector begin, and its length.
func tables(t *flatbuffers.Table, field int) (start flatbuffers.UOffsetT, n int) {
	o := flatbuffers.UOffsetT(t.Offset(slot(field)))
	if o == 0 {
		return 0, 0
	}
	return t.Vector(o), t.VectorLen(o)
}

// element is table i of a vector.
func element(t *flatbuffers.Table, start flatbuffers.UOffsetT, i int) flatbuffers.Table {
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start + flatbuffers.UOffsetT(i)*4)}
}

func readSmall(src []byte, v *small.Record, view bool) {
	t := root(src)
	v.Name = str(&t, 0, view)
	v.BirthDay = t.GetInt64Slot(slot(1), 0)
	v.Phone = str(&t, 2, view)
	v.Siblings = int(t.GetInt64Slot(slot(3), 0))
	v.Spouse = t.GetBoolSlot(slot(4), false)
	v.Money = t.GetFloat64Slot(slot(5), 0)
}

func readSensor(src []byte, v *sensor.Record) {
	t := root(src)
	v.Device = t.GetUint64Slot(slot(0), 0)
	v.Sequence = t.GetUint64Slot(slot(1), 0)
	v.X = t.GetInt32Slot(slot(2), 0)
	v.Y = t.GetInt32Slot(slot(3), 0)
	v.Temperature = t.GetFloat64Slot(slot(4), 0)
	v.Pressure = t.GetFloat64Slot(slot(5), 0)
	v.Humidity = t.GetFloat64Slot(slot(6), 0)
	v.Voltage = t.GetFloat64Slot(slot(7), 0)
	v.Latitude = t.GetFloat64Slot(slot(8), 0)
	v.Longitude = t.GetFloat64Slot(slot(9), 0)
	v.Valid = t.GetBoolSlot(slot(10), false)
	v.Quality = t.GetUint8Slot(slot(11), 0)
}

func readText(src []byte, v *text.Record, view bool) {
	t := root(src)
	v.Text = str(&t, 0, view)
	if view {
		v.Data = vector(&t, 1)
	} else {
		v.Data = append(v.Data[:0], vector(&t, 1)...)
	}
	v.Time = t.GetInt64Slot(slot(2), 0)
}

func readOrder(src []byte, v *order.Record, view bool) {
	t := root(src)
	v.ID = t.GetUint64Slot(slot(0), 0)
	v.Customer = str(&t, 1, view)
	v.Created = t.GetInt64Slot(slot(2), 0)

	start, n := tables(&t, 3)
	v.Lines = slices.Grow(v.Lines[:0], n)[:n]
	for i := range v.Lines {
		l := element(&t, start, i)
		readLine(&l, &v.Lines[i], view)
	}

	start, n = tables(&t, 4)
	clear(v.Attributes)
	if v.Attributes == nil && n > 0 {
		v.Attributes = make(map[string]string, n)
	}
	for i := range n {
		entry := element(&t, start, i)
		v.Attributes[str(&entry, 0, view)] = str(&entry, 1, view)
	}

	o := flatbuffers.UOffsetT(t.Offset(slot(5)))
	if o == 0 {
		v.Address = nil
		return
	}
	a := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(o + t.Pos)}
	if v.Address == nil {
		v.Address = new(order.Address)
	}
	v.Address.Street, v.Address.City, v.Address.Country = str(&a, 0, view), str(&a, 1, view), str(&a, 2, view)
}

func readLine(t *flatbuffers.Table, l *order.Line, view bool) {
	l.SKU = str(t, 0, view)
	l.Qty = t.GetInt32Slot(slot(1), 0)
	l.Price = t.GetFloat64Slot(slot(2), 0)
	start, n := tables(t, 3)
	l.Tags = slices.Grow(l.Tags[:0], n)[:n]
	for i := range l.Tags {
		l.Tags[i] = asString(t.ByteVector(start+flatbuffers.UOffsetT(i)*4), view)
	}
}
