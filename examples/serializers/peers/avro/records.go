package avro

import (
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
)

// The records with signed integers, which is what hamba/avro can write. twmb/avro takes them as well.

type sensorRecord struct {
	Device, Sequence int64
	X, Y             int32
	Temperature      float64
	Pressure         float64
	Humidity         float64
	Voltage          float64
	Latitude         float64
	Longitude        float64
	Valid            bool
	Quality          uint8
}

func sensorFrom(dst *sensorRecord, src *sensor.Record) {
	*dst = sensorRecord{
		Device: int64(src.Device), Sequence: int64(src.Sequence), X: src.X, Y: src.Y,
		Temperature: src.Temperature, Pressure: src.Pressure, Humidity: src.Humidity, Voltage: src.Voltage,
		Latitude: src.Latitude, Longitude: src.Longitude, Valid: src.Valid, Quality: src.Quality,
	}
}

func sensorTo(dst *sensor.Record, src *sensorRecord) {
	*dst = sensor.Record{
		Device: uint64(src.Device), Sequence: uint64(src.Sequence), X: src.X, Y: src.Y,
		Temperature: src.Temperature, Pressure: src.Pressure, Humidity: src.Humidity, Voltage: src.Voltage,
		Latitude: src.Latitude, Longitude: src.Longitude, Valid: src.Valid, Quality: src.Quality,
	}
}

type orderRecord struct {
	ID         int64
	Customer   string
	Created    int64
	Lines      []order.Line
	Attributes map[string]string
	Address    *order.Address
}

func orderFrom(dst *orderRecord, src *order.Record) {
	*dst = orderRecord{
		ID: int64(src.ID), Customer: src.Customer, Created: src.Created, Lines: src.Lines, Attributes: src.Attributes, Address: src.Address,
	}
}

func orderTo(dst *order.Record, src *orderRecord) {
	*dst = order.Record{
		ID: uint64(src.ID), Customer: src.Customer, Created: src.Created, Lines: src.Lines, Attributes: src.Attributes, Address: src.Address,
	}
}

// reset empties the slices and the map of an order but keeps their memory: both peers merge maps, and leave slices alone of which no element
// comes.
func reset(v *orderRecord) {
	lines := v.Lines[:cap(v.Lines)]
	for i := range lines {
		lines[i].Tags = lines[i].Tags[:0]
	}
	v.Lines = lines[:0]
	clear(v.Attributes)
}
