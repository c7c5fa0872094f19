package mus

import (
	"github.com/mus-format/mus-go/ord"
	"github.com/mus-format/mus-go/unsafe"

	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

// The serializers of slices, maps and pointers.
var (
	unsafeTags       = ord.NewSliceSer[string](unsafe.String)
	unsafeAttributes = ord.NewMapSer[string, string](unsafe.String, unsafe.String)
	unsafeLines      = ord.NewSliceSer[order.Line](lineUnsafeSer{})
	unsafeAddress    = ord.NewPtrSer[order.Address](addressUnsafeSer{})
)

type smallUnsafeSer struct{}

func (smallUnsafeSer) Marshal(v small.Record, bs []byte) (n int) {
	n = unsafe.String.Marshal(v.Name, bs)
	n += unsafe.Int64.Marshal(v.BirthDay, bs[n:])
	n += unsafe.String.Marshal(v.Phone, bs[n:])
	n += unsafe.Int.Marshal(v.Siblings, bs[n:])
	n += unsafe.Bool.Marshal(v.Spouse, bs[n:])
	return n + unsafe.Float64.Marshal(v.Money, bs[n:])
}

func (smallUnsafeSer) Unmarshal(bs []byte) (v small.Record, n int, err error) {
	v.Name, n, err = unsafe.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.BirthDay, n1, err = unsafe.Int64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Phone, n1, err = unsafe.String.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Siblings, n1, err = unsafe.Int.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Spouse, n1, err = unsafe.Bool.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Money, n1, err = unsafe.Float64.Unmarshal(bs[n:])
	n += n1
	return
}

func (smallUnsafeSer) Size(v small.Record) (size int) {
	size = unsafe.String.Size(v.Name)
	size += unsafe.Int64.Size(v.BirthDay)
	size += unsafe.String.Size(v.Phone)
	size += unsafe.Int.Size(v.Siblings)
	size += unsafe.Bool.Size(v.Spouse)
	return size + unsafe.Float64.Size(v.Money)
}

type sensorUnsafeSer struct{}

func (sensorUnsafeSer) Marshal(v sensor.Record, bs []byte) (n int) {
	n = unsafe.Uint64.Marshal(v.Device, bs)
	n += unsafe.Uint64.Marshal(v.Sequence, bs[n:])
	n += unsafe.Int32.Marshal(v.X, bs[n:])
	n += unsafe.Int32.Marshal(v.Y, bs[n:])
	n += unsafe.Float64.Marshal(v.Temperature, bs[n:])
	n += unsafe.Float64.Marshal(v.Pressure, bs[n:])
	n += unsafe.Float64.Marshal(v.Humidity, bs[n:])
	n += unsafe.Float64.Marshal(v.Voltage, bs[n:])
	n += unsafe.Float64.Marshal(v.Latitude, bs[n:])
	n += unsafe.Float64.Marshal(v.Longitude, bs[n:])
	n += unsafe.Bool.Marshal(v.Valid, bs[n:])
	return n + unsafe.Uint8.Marshal(v.Quality, bs[n:])
}

func (sensorUnsafeSer) Unmarshal(bs []byte) (v sensor.Record, n int, err error) {
	v.Device, n, err = unsafe.Uint64.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.Sequence, n1, err = unsafe.Uint64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.X, n1, err = unsafe.Int32.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Y, n1, err = unsafe.Int32.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Temperature, n1, err = unsafe.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Pressure, n1, err = unsafe.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Humidity, n1, err = unsafe.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Voltage, n1, err = unsafe.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Latitude, n1, err = unsafe.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Longitude, n1, err = unsafe.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Valid, n1, err = unsafe.Bool.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Quality, n1, err = unsafe.Uint8.Unmarshal(bs[n:])
	n += n1
	return
}

func (sensorUnsafeSer) Size(v sensor.Record) (size int) {
	size = unsafe.Uint64.Size(v.Device)
	size += unsafe.Uint64.Size(v.Sequence)
	size += unsafe.Int32.Size(v.X)
	size += unsafe.Int32.Size(v.Y)
	size += unsafe.Float64.Size(v.Temperature)
	size += unsafe.Float64.Size(v.Pressure)
	size += unsafe.Float64.Size(v.Humidity)
	size += unsafe.Float64.Size(v.Voltage)
	size += unsafe.Float64.Size(v.Latitude)
	size += unsafe.Float64.Size(v.Longitude)
	size += unsafe.Bool.Size(v.Valid)
	return size + unsafe.Uint8.Size(v.Quality)
}

type lineUnsafeSer struct{}

func (lineUnsafeSer) Marshal(v order.Line, bs []byte) (n int) {
	n = unsafe.String.Marshal(v.SKU, bs)
	n += unsafe.Int32.Marshal(v.Qty, bs[n:])
	n += unsafe.Float64.Marshal(v.Price, bs[n:])
	return n + unsafeTags.Marshal(v.Tags, bs[n:])
}

func (lineUnsafeSer) Unmarshal(bs []byte) (v order.Line, n int, err error) {
	v.SKU, n, err = unsafe.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.Qty, n1, err = unsafe.Int32.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Price, n1, err = unsafe.Float64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Tags, n1, err = unsafeTags.Unmarshal(bs[n:])
	n += n1
	return
}

func (lineUnsafeSer) Size(v order.Line) (size int) {
	size = unsafe.String.Size(v.SKU)
	size += unsafe.Int32.Size(v.Qty)
	size += unsafe.Float64.Size(v.Price)
	return size + unsafeTags.Size(v.Tags)
}

func (lineUnsafeSer) Skip(bs []byte) (n int, err error) {
	n, err = unsafe.String.Skip(bs)
	if err != nil {
		return
	}
	var n1 int
	n1, err = unsafe.Int32.Skip(bs[n:])
	n += n1
	if err != nil {
		return
	}
	n1, err = unsafe.Float64.Skip(bs[n:])
	n += n1
	if err != nil {
		return
	}
	n1, err = unsafeTags.Skip(bs[n:])
	n += n1
	return
}

type addressUnsafeSer struct{}

func (addressUnsafeSer) Marshal(v order.Address, bs []byte) (n int) {
	n = unsafe.String.Marshal(v.Street, bs)
	n += unsafe.String.Marshal(v.City, bs[n:])
	return n + unsafe.String.Marshal(v.Country, bs[n:])
}

func (addressUnsafeSer) Unmarshal(bs []byte) (v order.Address, n int, err error) {
	v.Street, n, err = unsafe.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.City, n1, err = unsafe.String.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Country, n1, err = unsafe.String.Unmarshal(bs[n:])
	n += n1
	return
}

func (addressUnsafeSer) Size(v order.Address) (size int) {
	size = unsafe.String.Size(v.Street)
	size += unsafe.String.Size(v.City)
	return size + unsafe.String.Size(v.Country)
}

func (addressUnsafeSer) Skip(bs []byte) (n int, err error) {
	n, err = unsafe.String.Skip(bs)
	if err != nil {
		return
	}
	var n1 int
	n1, err = unsafe.String.Skip(bs[n:])
	n += n1
	if err != nil {
		return
	}
	n1, err = unsafe.String.Skip(bs[n:])
	n += n1
	return
}

type orderUnsafeSer struct{}

func (orderUnsafeSer) Marshal(v order.Record, bs []byte) (n int) {
	n = unsafe.Uint64.Marshal(v.ID, bs)
	n += unsafe.String.Marshal(v.Customer, bs[n:])
	n += unsafe.Int64.Marshal(v.Created, bs[n:])
	n += unsafeLines.Marshal(v.Lines, bs[n:])
	n += unsafeAttributes.Marshal(v.Attributes, bs[n:])
	return n + unsafeAddress.Marshal(v.Address, bs[n:])
}

func (orderUnsafeSer) Unmarshal(bs []byte) (v order.Record, n int, err error) {
	v.ID, n, err = unsafe.Uint64.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.Customer, n1, err = unsafe.String.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Created, n1, err = unsafe.Int64.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Lines, n1, err = unsafeLines.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Attributes, n1, err = unsafeAttributes.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Address, n1, err = unsafeAddress.Unmarshal(bs[n:])
	n += n1
	return
}

func (orderUnsafeSer) Size(v order.Record) (size int) {
	size = unsafe.Uint64.Size(v.ID)
	size += unsafe.String.Size(v.Customer)
	size += unsafe.Int64.Size(v.Created)
	size += unsafeLines.Size(v.Lines)
	size += unsafeAttributes.Size(v.Attributes)
	return size + unsafeAddress.Size(v.Address)
}

type textUnsafeSer struct{}

func (textUnsafeSer) Marshal(v text.Record, bs []byte) (n int) {
	n = unsafe.String.Marshal(v.Text, bs)
	n += unsafe.ByteSlice.Marshal(v.Data, bs[n:])
	return n + unsafe.Int64.Marshal(v.Time, bs[n:])
}

func (textUnsafeSer) Unmarshal(bs []byte) (v text.Record, n int, err error) {
	v.Text, n, err = unsafe.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var n1 int
	v.Data, n1, err = unsafe.ByteSlice.Unmarshal(bs[n:])
	n += n1
	if err != nil {
		return
	}
	v.Time, n1, err = unsafe.Int64.Unmarshal(bs[n:])
	n += n1
	return
}

func (textUnsafeSer) Size(v text.Record) (size int) {
	size = unsafe.String.Size(v.Text)
	size += unsafe.ByteSlice.Size(v.Data)
	return size + unsafe.Int64.Size(v.Time)
}
