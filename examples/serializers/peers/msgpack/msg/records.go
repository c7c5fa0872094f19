package msg

//go:generate go tool msgp -io=false -tests=false

//msgp:tuple SmallTuple SensorTuple OrderTuple LineTuple AddressTuple TextTuple
//msgp:clearomitted

// Small is a small record.
type Small struct {
	Name     string
	BirthDay int64
	Phone    string
	Siblings int
	Spouse   bool
	Money    float64
}

// Sensor is a reading of a sensor.
type Sensor struct {
	Device, Sequence uint64
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

// Order is an order.
type Order struct {
	ID         uint64
	Customer   string
	Created    int64
	Lines      []Line
	Attributes map[string]string
	Address    *Address
}

// Line is an article of an order.
type Line struct {
	SKU   string
	Qty   int32
	Price float64
	Tags  []string
}

// Address is where an order goes.
type Address struct {
	Street  string
	City    string
	Country string
}

// Text is a message.
type Text struct {
	Text string
	Data []byte
	Time int64
}

// SmallTuple is a small record.
type SmallTuple struct {
	Name     string
	BirthDay int64
	Phone    string
	Siblings int
	Spouse   bool
	Money    float64
}

// SensorTuple is a reading of a sensor.
type SensorTuple struct {
	Device, Sequence uint64
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

// OrderTuple is an order.
type OrderTuple struct {
	ID         uint64
	Customer   string
	Created    int64
	Lines      []LineTuple
	Attributes map[string]string
	Address    *AddressTuple
}

// LineTuple is an article of an order.
type LineTuple struct {
	SKU   string
	Qty   int32
	Price float64
	Tags  []string
}

// AddressTuple is where an order goes.
type AddressTuple struct {
	Street  string
	City    string
	Country string
}

// TextTuple is a message.
type TextTuple struct {
	Text string
	Data []byte
	Time int64
}
