package rwgenavro

import (
	"github.com/rwgen/rwgen/examples/serializers/peers/rwgenavro/schemas"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

// Avro has signed integers only, of 32 and 64 bits.

func smallFrom(dst *schemas.Small, src *small.Record) {
	*dst = schemas.Small{Name: src.Name, BirthDay: src.BirthDay, Phone: src.Phone, Siblings: int32(src.Siblings), Spouse: src.Spouse, Money: src.Money}
}

func smallTo(dst *small.Record, src *schemas.Small) {
	*dst = small.Record{Name: src.Name, BirthDay: src.BirthDay, Phone: src.Phone, Siblings: int(src.Siblings), Spouse: src.Spouse, Money: src.Money}
}

func sensorFrom(dst *schemas.Sensor, src *sensor.Record) {
	*dst = schemas.Sensor{
		Device: int64(src.Device), Sequence: int64(src.Sequence), X: src.X, Y: src.Y,
		Temperature: src.Temperature, Pressure: src.Pressure, Humidity: src.Humidity, Voltage: src.Voltage,
		Latitude: src.Latitude, Longitude: src.Longitude, Valid: src.Valid, Quality: int32(src.Quality),
	}
}

func sensorTo(dst *sensor.Record, src *schemas.Sensor) {
	*dst = sensor.Record{
		Device: uint64(src.Device), Sequence: uint64(src.Sequence), X: src.X, Y: src.Y,
		Temperature: src.Temperature, Pressure: src.Pressure, Humidity: src.Humidity, Voltage: src.Voltage,
		Latitude: src.Latitude, Longitude: src.Longitude, Valid: src.Valid, Quality: uint8(src.Quality),
	}
}

func orderFrom(dst *schemas.Order, src *order.Record) {
	*dst = schemas.Order{ID: int64(src.ID), Customer: src.Customer, Created: src.Created, Attributes: src.Attributes}
	dst.Lines = make([]schemas.Line, len(src.Lines))
	for i, l := range src.Lines {
		dst.Lines[i] = schemas.Line(l)
	}
	if src.Address != nil {
		a := schemas.Address(*src.Address)
		dst.Address = &a
	}
}

func orderTo(dst *order.Record, src *schemas.Order) {
	*dst = order.Record{ID: uint64(src.ID), Customer: src.Customer, Created: src.Created, Attributes: src.Attributes}
	dst.Lines = make([]order.Line, len(src.Lines))
	for i, l := range src.Lines {
		dst.Lines[i] = order.Line(l)
	}
	if src.Address != nil {
		a := order.Address(*src.Address)
		dst.Address = &a
	}
}

func textFrom(dst *schemas.Text, src *text.Record) {
	*dst = schemas.Text{Text: src.Text, Data: src.Data, Time: src.Time}
}

func textTo(dst *text.Record, src *schemas.Text) {
	*dst = text.Record{Text: src.Text, Data: src.Data, Time: src.Time}
}
