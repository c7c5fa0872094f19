// Package hashes has keys that are placed as Flink and Kafka place them.
package hashes

import "time"

//go:generate go tool rwgen

type (
	Code  string
	Level int16
	Octet uint8
	Raw   []byte
	Bytes []Octet
	Temp  float32
)

type Place struct {
	Country string
	Zip     int32
}

// Record has a writer for each type of key that Flink and Kafka know.
//
//rwgen:record
//rwgen:writer FlinkBool key=Bool hash=flink
//rwgen:writer FlinkInt8 key=Int8 hash=flink
//rwgen:writer FlinkInt16 key=Int16 hash=flink
//rwgen:writer FlinkInt32 key=Int32 hash=flink
//rwgen:writer FlinkInt64 key=Int64 hash=flink
//rwgen:writer FlinkInt key=Int hash=flink
//rwgen:writer FlinkUint8 key=Uint8 hash=flink
//rwgen:writer FlinkUint16 key=Uint16 hash=flink
//rwgen:writer FlinkUint32 key=Uint32 hash=flink
//rwgen:writer FlinkUint64 key=Uint64 hash=flink
//rwgen:writer FlinkUint key=Uint hash=flink
//rwgen:writer FlinkUintptr key=Uintptr hash=flink
//rwgen:writer FlinkFloat32 key=Float32 hash=flink
//rwgen:writer FlinkFloat64 key=Float64 hash=flink
//rwgen:writer FlinkString key=String hash=flink
//rwgen:writer FlinkData key=Data hash=flink
//rwgen:writer FlinkTime key=Time hash=flink
//rwgen:writer FlinkCode key=Code hash=flink
//rwgen:writer FlinkLevel key=Level hash=flink
//rwgen:writer FlinkTemp key=Temp hash=flink
//rwgen:writer FlinkRaw key=Raw hash=flink
//rwgen:writer FlinkOctets key=Octets hash=flink
//rwgen:writer FlinkZip key=Place.Zip hash=flink
//rwgen:writer FlinkTwo key=String,Int hash=flink
//rwgen:writer FlinkAll key=Bool,Int8,Int16,Int32,Int64,Uint32,Uint64,Float32,Float64,Octets,String,Data,Time,Octets2,Place.Country hash=flink
//rwgen:writer KafkaBool key=Bool hash=kafka
//rwgen:writer KafkaInt8 key=Int8 hash=kafka
//rwgen:writer KafkaInt16 key=Int16 hash=kafka
//rwgen:writer KafkaInt32 key=Int32 hash=kafka
//rwgen:writer KafkaInt64 key=Int64 hash=kafka
//rwgen:writer KafkaInt key=Int hash=kafka
//rwgen:writer KafkaUint16 key=Uint16 hash=kafka
//rwgen:writer KafkaUint32 key=Uint32 hash=kafka
//rwgen:writer KafkaUint64 key=Uint64 hash=kafka
//rwgen:writer KafkaUint key=Uint hash=kafka
//rwgen:writer KafkaUintptr key=Uintptr hash=kafka
//rwgen:writer KafkaFloat32 key=Float32 hash=kafka
//rwgen:writer KafkaFloat64 key=Float64 hash=kafka
//rwgen:writer KafkaString key=String hash=kafka
//rwgen:writer KafkaData key=Data hash=kafka
//rwgen:writer KafkaCode key=Code hash=kafka
//rwgen:writer KafkaLevel key=Level hash=kafka
//rwgen:writer KafkaRaw key=Raw hash=kafka
//rwgen:writer KafkaOctets key=Octets hash=kafka
//rwgen:writer KafkaCountry key=Place.Country hash=kafka
//rwgen:writer TwoString key=String choices=2
//rwgen:writer TwoOctets key=Octets choices=2
//rwgen:writer TwoPlace key=Place,Int choices=2
type Record struct {
	Bool            bool
	Int8            int8
	Int16           int16
	Int32           int32
	Int64           int64
	Int             int
	Uint8           uint8
	Uint16          uint16
	Uint32          uint32
	Uint64          uint64
	Uint            uint
	Uintptr         uintptr
	Float32         float32
	Float64         float64
	String          string
	Data            []byte
	Time            time.Time
	Code            Code
	Level           Level
	Temp            Temp
	Raw             Raw
	Octets, Octets2 Bytes
	Place           Place
}
