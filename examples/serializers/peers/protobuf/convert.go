package protobuf

import (
	"github.com/rwgen/rwgen/examples/serializers/peers/protobuf/pb"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

func smallFrom(dst *pb.Small, src *small.Record) {
	dst.Name, dst.BirthDay, dst.Phone = src.Name, src.BirthDay, src.Phone
	dst.Siblings, dst.Spouse, dst.Money = int32(src.Siblings), src.Spouse, src.Money
}

func smallTo(dst *small.Record, src *pb.Small) {
	*dst = small.Record{
		Name: src.Name, BirthDay: src.BirthDay, Phone: src.Phone, Siblings: int(src.Siblings), Spouse: src.Spouse, Money: src.Money,
	}
}

func sensorFrom(dst *pb.Sensor, src *sensor.Record) {
	dst.Device, dst.Sequence, dst.X, dst.Y = src.Device, src.Sequence, src.X, src.Y
	dst.Temperature, dst.Pressure, dst.Humidity, dst.Voltage = src.Temperature, src.Pressure, src.Humidity, src.Voltage
	dst.Latitude, dst.Longitude, dst.Valid, dst.Quality = src.Latitude, src.Longitude, src.Valid, uint32(src.Quality)
}

func sensorTo(dst *sensor.Record, src *pb.Sensor) {
	*dst = sensor.Record{
		Device: src.Device, Sequence: src.Sequence, X: src.X, Y: src.Y,
		Temperature: src.Temperature, Pressure: src.Pressure, Humidity: src.Humidity, Voltage: src.Voltage,
		Latitude: src.Latitude, Longitude: src.Longitude, Valid: src.Valid, Quality: uint8(src.Quality),
	}
}

func orderFrom(dst *pb.Order, src *order.Record) {
	dst.Id, dst.Customer, dst.Created, dst.Attributes = src.ID, src.Customer, src.Created, src.Attributes
	for _, l := range src.Lines {
		dst.Lines = append(dst.Lines, &pb.Line{Sku: l.SKU, Qty: l.Qty, Price: l.Price, Tags: l.Tags})
	}
	if a := src.Address; a != nil {
		dst.Address = &pb.Address{Street: a.Street, City: a.City, Country: a.Country}
	}
}

func orderTo(dst *order.Record, src *pb.Order) {
	*dst = order.Record{ID: src.Id, Customer: src.Customer, Created: src.Created, Attributes: src.Attributes}
	for _, l := range src.Lines {
		dst.Lines = append(dst.Lines, order.Line{SKU: l.Sku, Qty: l.Qty, Price: l.Price, Tags: l.Tags})
	}
	if a := src.Address; a != nil {
		dst.Address = &order.Address{Street: a.Street, City: a.City, Country: a.Country}
	}
}

func textFrom(dst *pb.Text, src *text.Record) {
	dst.Text, dst.Data, dst.Time = src.Text, src.Data, src.Time
}

func textTo(dst *text.Record, src *pb.Text) {
	*dst = text.Record{Text: src.Text, Data: src.Data, Time: src.Time}
}
