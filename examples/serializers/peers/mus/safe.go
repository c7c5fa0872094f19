package mus

import (
	"github.com/mus-format/mus-go/ord"
	"github.com/mus-format/mus-go/raw"

	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

// The serializers of slices, maps and pointers, variables as in the code of the generator.
var (
	tags       = ord.NewSliceSer[string](ord.String)
	attributes = ord.NewMapSer[string, string](ord.String, ord.String)
	lines      = ord.NewSliceSer[order.Line](lineSer{})
	address    = ord.NewPtrSer[order.Address](addressSer{})
)

type smallSer struct{}

func (smallSer) Marshal(v small.Record, bs []byte) (n int) {
	n = ord.String.Marshal(v.Name, bs)
	n += raw.Int64.Marshal(v.BirthDay, bs[n:])
	n += ord.String.Marshal(v.Phone, bs[n:])
	n += raw.Int.Marshal(v.Siblings, bs[n:])
	n += ord.Bool.Marshal(v.Spouse, bs[n:])
	return n + raw.Float64.Marshal(v.Money, bs[n:])
}

func (smallSer) Unmarshal(bs []byte) (v small.Record, n int, err error) {
	v.Name, n, err = ord.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.BirthDay, n1, err = raw.Int64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Phone, n1, err = ord.String.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Siblings, n1, err = raw.Int.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Spouse, n1, err = ord.Bool.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Money, n1, err = raw.Float64.Unmarshal(bs[n:])
	n += n1
	return
}

func (smallSer) Size(v small.Record) (size int) {
	size = ord.String.Size(v.Name)
	size += raw.Int64.Size(v.BirthDay)
	size += ord.String.Size(v.Phone)
	size += raw.Int.Size(v.Siblings)
	size += ord.Bool.Size(v.Spouse)
	return size + raw.Float64.Size(v.Money)
}

type sensorSer struct{}

func (sensorSer) Marshal(v sensor.Record, bs []byte) (n int) {
	n = raw.Uint64.Marshal(v.Device, bs)
	n += raw.Uint64.Marshal(v.Sequence, bs[n:])
	n += raw.Int32.Marshal(v.X, bs[n:])
	n += raw.Int32.Marshal(v.Y, bs[n:])
	n += raw.Float64.Marshal(v.Temperature, bs[n:])
	n += raw.Float64.Marshal(v.Pressure, bs[n:])
	n += raw.Float64.Marshal(v.Humidity, bs[n:])
	n += raw.Float64.Marshal(v.Voltage, bs[n:])
	n += raw.Float64.Marshal(v.Latitude, bs[n:])
	n += raw.Float64.Marshal(v.Longitude, bs[n:])
	n += ord.Bool.Marshal(v.Valid, bs[n:])
	return n + raw.Uint8.Marshal(v.Quality, bs[n:])
}

func (sensorSer) Unmarshal(bs []byte) (v sensor.Record, n int, err error) {
	v.Device, n, err = raw.Uint64.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.Sequence, n1, err = raw.Uint64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.X, n1, err = raw.Int32.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Y, n1, err = raw.Int32.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Temperature, n1, err = raw.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Pressure, n1, err = raw.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Humidity, n1, err = raw.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Voltage, n1, err = raw.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Latitude, n1, err = raw.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Longitude, n1, err = raw.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Valid, n1, err = ord.Bool.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Quality, n1, err = raw.Uint8.Unmarshal(bs[n:])
	n += n1
	return
}

func (sensorSer) Size(v sensor.Record) (size int) {
	size = raw.Uint64.Size(v.Device)
	size += raw.Uint64.Size(v.Sequence)
	size += raw.Int32.Size(v.X)
	size += raw.Int32.Size(v.Y)
	size += raw.Float64.Size(v.Temperature)
	size += raw.Float64.Size(v.Pressure)
	size += raw.Float64.Size(v.Humidity)
	size += raw.Float64.Size(v.Voltage)
	size += raw.Float64.Size(v.Latitude)
	size += raw.Float64.Size(v.Longitude)
	size += ord.Bool.Size(v.Valid)
	return size + raw.Uint8.Size(v.Quality)
}

type lineSer struct{}

func (lineSer) Marshal(v order.Line, bs []byte) (n int) {
	n = ord.String.Marshal(v.SKU, bs)
	n += raw.Int32.Marshal(v.Qty, bs[n:])
	n += raw.Float64.Marshal(v.Price, bs[n:])
	return n + tags.Marshal(v.Tags, bs[n:])
}

func (lineSer) Unmarshal(bs []byte) (v order.Line, n int, err error) {
	v.SKU, n, err = ord.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.Qty, n1, err = raw.Int32.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Price, n1, err = raw.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Tags, n1, err = tags.Unmarshal(bs[n:])
	n += n1
	return
}

func (lineSer) Size(v order.Line) (size int) {
	size = ord.String.Size(v.SKU)
	size += raw.Int32.Size(v.Qty)
	size += raw.Float64.Size(v.Price)
	return size + tags.Size(v.Tags)
}

func (lineSer) Skip(bs []byte) (n int, err error) {
	n, err = ord.String.Skip(bs)
	if err != nil {
		return
	}
	var n1 int
	n1, err = raw.Int32.Skip(bs[n:])
	n += n1
	if err != nil {
		return
	}
	n1, err = raw.Float64.Skip(bs[n:])
	n += n1
	if err != nil {
		return
	}
	n1, err = tags.Skip(bs[n:])
	n += n1
	return
}

type addressSer struct{}

func (addressSer) Marshal(v order.Address, bs []byte) (n int) {
	n = ord.String.Marshal(v.Street, bs)
	n += ord.String.Marshal(v.City, bs[n:])
	return n + ord.String.Marshal(v.Country, bs[n:])
}

func (addressSer) Unmarshal(bs []byte) (v order.Address, n int, err error) {
	v.Street, n, err = ord.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.City, n1, err = ord.String.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Country, n1, err = ord.String.Unmarshal(bs[n:])
	n += n1
	return
}

func (addressSer) Size(v order.Address) (size int) {
	size = ord.String.Size(v.Street)
	size += ord.String.Size(v.City)
	return size + ord.String.Size(v.Country)
}

func (addressSer) Skip(bs []byte) (n int, err error) {
	n, err = ord.String.Skip(bs)
	if err != nil {
		return
	}
	var n1 int
	n1, err = ord.String.Skip(bs[n:])
	n += n1
	if err != nil {
		return
	}
	n1, err = ord.String.Skip(bs[n:])
	n += n1
	return
}

type orderSer struct{}

func (orderSer) Marshal(v order.Record, bs []byte) (n int) {
	n = raw.Uint64.Marshal(v.ID, bs)
	n += ord.String.Marshal(v.Customer, bs[n:])
	n += raw.Int64.Marshal(v.Created, bs[n:])
	n += lines.Marshal(v.Lines, bs[n:])
	n += attributes.Marshal(v.Attributes, bs[n:])
	return n + address.Marshal(v.Address, bs[n:])
}

func (orderSer) Unmarshal(bs []byte) (v order.Record, n int, err error) {
	v.ID, n, err = raw.Uint64.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.Customer, n1, err = ord.String.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Created, n1, err = raw.Int64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Lines, n1, err = lines.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Attributes, n1, err = attributes.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Address, n1, err = address.Unmarshal(bs[n:])
	n += n1
	return
}

func (orderSer) Size(v order.Record) (size int) {
	size = raw.Uint64.Size(v.ID)
	size += ord.String.Size(v.Customer)
	size += raw.Int64.Size(v.Created)
	size += lines.Size(v.Lines)
	size += attributes.Size(v.Attributes)
	return size + address.Size(v.Address)
}

type textSer struct{}

func (textSer) Marshal(v text.Record, bs []byte) (n int) {
	n = ord.String.Marshal(v.Text, bs)
	n += ord.ByteSlice.Marshal(v.Data, bs[n:])
	return n + raw.Int64.Marshal(v.Time, bs[n:])
}

func (textSer) Unmarshal(bs []byte) (v text.Record, n int, err error) {
	v.Text, n, err = ord.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.Data, n1, err = ord.ByteSlice.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Time, n1, err = raw.Int64.Unmarshal(bs[n:])
	n += n1
	return
}

func (textSer) Size(v text.Record) (size int) {
	size = ord.String.Size(v.Text)
	size += ord.ByteSlice.Size(v.Data)
	return size + raw.Int64.Size(v.Time)
}
