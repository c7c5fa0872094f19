// Package keys has keys of every type.
package keys

import "time"

//go:generate go tool rwgen

type (
	Code  string
	Level int16
	Octet uint8
	Raw   []byte
	Bytes []Octet
	UUID  [16]byte
	Grid  [2][2]int16
	Temp  float32
)

type Place struct {
	Country string
	Zip     int32
	Geo     [2]float64
}

type Base struct{ Tenant string }

// Record has a field, and a writer, for each type of key.
//
//rwgen:record
//rwgen:writer Bool key=Bool
//rwgen:writer Int8 key=Int8
//rwgen:writer Int16 key=Int16
//rwgen:writer Int32 key=Int32
//rwgen:writer Int64 key=Int64
//rwgen:writer Int key=Int
//rwgen:writer Uint8 key=Uint8
//rwgen:writer Uint16 key=Uint16
//rwgen:writer Uint32 key=Uint32
//rwgen:writer Uint64 key=Uint64
//rwgen:writer Uint key=Uint
//rwgen:writer Uintptr key=Uintptr
//rwgen:writer Float32 key=Float32
//rwgen:writer Float64 key=Float64
//rwgen:writer String key=String
//rwgen:writer Bytes key=Data
//rwgen:writer Time key=Time
//rwgen:writer Duration key=Duration
//rwgen:writer Code key=Code
//rwgen:writer Level key=Level
//rwgen:writer Temp key=Temp
//rwgen:writer Raw key=Raw
//rwgen:writer Octets key=Octets
//rwgen:writer Varint key=Varint
//rwgen:writer UUID key=UUID
//rwgen:writer Grid key=Grid
//rwgen:writer Names key=Names
//rwgen:writer Place key=Place
//rwgen:writer Zip key=Place.Zip
//rwgen:writer Tenant key=Base.Tenant
//rwgen:writer All key=Bool,Int8,Int16,Int32,Int64,Int,Uint8,Uint16,Uint32,Uint64,Uint,Uintptr,Float32,Float64,String,Data,Time,Duration,Code,Level,Temp,Raw,Octets,Varint,UUID,Grid,Names,Place
//rwgen:writer Mixed key=Base.Tenant,Place.Geo,Int
type Record struct {
	Base
	Bool     bool
	Int8     int8
	Int16    int16
	Int32    int32
	Int64    int64
	Int      int
	Uint8    uint8
	Uint16   uint16
	Uint32   uint32
	Uint64   uint64
	Uint     uint
	Uintptr  uintptr
	Float32  float32
	Float64  float64
	String   string
	Data     []byte
	Time     time.Time
	Duration time.Duration
	Code     Code
	Level    Level
	Temp     Temp
	Raw      Raw
	Octets   Bytes
	Varint   int32 `rw:"varint"`
	UUID     UUID
	Grid     Grid
	Names    [2]string
	Place    Place
}
