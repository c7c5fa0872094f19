package keys

import (
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Each key goes where FORMAT.md says.
func TestChannels(t *testing.T) {
	channels(t, "Bool", NewRecordBoolWriter)
	channels(t, "Int8", NewRecordInt8Writer)
	channels(t, "Int16", NewRecordInt16Writer)
	channels(t, "Int32", NewRecordInt32Writer)
	channels(t, "Int64", NewRecordInt64Writer)
	channels(t, "Int", NewRecordIntWriter)
	channels(t, "Uint8", NewRecordUint8Writer)
	channels(t, "Uint16", NewRecordUint16Writer)
	channels(t, "Uint32", NewRecordUint32Writer)
	channels(t, "Uint64", NewRecordUint64Writer)
	channels(t, "Uint", NewRecordUintWriter)
	channels(t, "Uintptr", NewRecordUintptrWriter)
	channels(t, "Float32", NewRecordFloat32Writer)
	channels(t, "Float64", NewRecordFloat64Writer)
	channels(t, "String", NewRecordStringWriter)
	channels(t, "Data", NewRecordBytesWriter)
	channels(t, "Time", NewRecordTimeWriter)
	channels(t, "Duration", NewRecordDurationWriter)
	channels(t, "Code", NewRecordCodeWriter)
	channels(t, "Level", NewRecordLevelWriter)
	channels(t, "Temp", NewRecordTempWriter)
	channels(t, "Raw", NewRecordRawWriter)
	channels(t, "Octets", NewRecordOctetsWriter)
	channels(t, "Varint", NewRecordVarintWriter)
	channels(t, "UUID", NewRecordUUIDWriter)
	channels(t, "Grid", NewRecordGridWriter)
	channels(t, "Names", NewRecordNamesWriter)
	channels(t, "Place", NewRecordPlaceWriter)
	channels(t, "Place.Zip", NewRecordZipWriter)
	channels(t, "Base.Tenant", NewRecordTenantWriter)
	channels(t, "Bool,Int8,Int16,Int32,Int64,Int,Uint8,Uint16,Uint32,Uint64,Uint,Uintptr,Float32,Float64,String,Data,Time,Duration,Code,Level,Temp,Raw,Octets,Varint,UUID,Grid,Names,Place", NewRecordAllWriter)
	channels(t, "Base.Tenant,Place.Geo,Int", NewRecordMixedWriter)
}

func channels[W check.Writer[Record]](t *testing.T, key string, newWriter func(writer.Output, ...writer.Option) (W, error)) {
	t.Run(key, func(t *testing.T) {
		const consumers = 7
		list := check.Random[Record](100)
		got := check.Stream(t, consumers, [][]Record{list}, newWriter, NewRecordReader)
		n := 0
		for channel, records := range got {
			for _, r := range records {
				n++
				if want := check.Channel(r, consumers, strings.Split(key, ",")...); want != channel {
					t.Fatalf("%+v came from channel %d, want %d", r, channel, want)
				}
			}
		}
		if n != len(list) {
			t.Errorf("%d of %d records arrived", n, len(list))
		}
	})
}
