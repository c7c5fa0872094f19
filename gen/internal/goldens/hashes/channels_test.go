package hashes

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

const consumers = 7

// placed tests that a generated writer puts random records where the generic one does with a selector of package selector, whose hashes have test vectors
// of their own.
func placed[W check.Writer[Record]](t *testing.T, name string, newWriter func(writer.Output, ...writer.Option) (W, error),
	sel func() selector.Selector[Record]) {
	t.Run(name, func(t *testing.T) {
		ref, err := record.Reflect[Record]()
		if err != nil {
			t.Fatal(err)
		}
		list := [][]Record{check.Random[Record](100)}
		want := check.Stream(t, consumers, list, func(out writer.Output, opts ...writer.Option) (*writer.Writer[Record], error) {
			return writer.New(out, ref, append(opts, writer.WithSelector(sel()))...)
		}, NewRecordReader)
		check.SameChannels(t, "generated", want, check.Stream(t, consumers, list, newWriter, NewRecordReader))
	})
}

func bytesOf(v Bytes) []byte {
	p := make([]byte, len(v))
	for i, b := range v {
		p[i] = byte(b)
	}
	return p
}

func TestFlink(t *testing.T) {
	flink := func(hash func(*Record) int32) func() selector.Selector[Record] {
		return func() selector.Selector[Record] { return selector.FlinkKey(hash) }
	}
	placed(t, "bool", NewRecordFlinkBoolWriter, flink(func(v *Record) int32 { return selector.FlinkBool(v.Bool) }))
	placed(t, "int8", NewRecordFlinkInt8Writer, flink(func(v *Record) int32 { return selector.Flink32(int32(v.Int8)) }))
	placed(t, "int16", NewRecordFlinkInt16Writer, flink(func(v *Record) int32 { return selector.Flink32(int32(v.Int16)) }))
	placed(t, "int32", NewRecordFlinkInt32Writer, flink(func(v *Record) int32 { return selector.Flink32(v.Int32) }))
	placed(t, "int64", NewRecordFlinkInt64Writer, flink(func(v *Record) int32 { return selector.Flink64(v.Int64) }))
	placed(t, "int", NewRecordFlinkIntWriter, flink(func(v *Record) int32 { return selector.Flink64(int64(v.Int)) }))
	placed(t, "uint8", NewRecordFlinkUint8Writer, flink(func(v *Record) int32 { return selector.Flink32(int32(int8(v.Uint8))) }))
	placed(t, "uint16", NewRecordFlinkUint16Writer, flink(func(v *Record) int32 { return selector.Flink32(int32(int16(v.Uint16))) }))
	placed(t, "uint32", NewRecordFlinkUint32Writer, flink(func(v *Record) int32 { return selector.Flink32(int32(v.Uint32)) }))
	placed(t, "uint64", NewRecordFlinkUint64Writer, flink(func(v *Record) int32 { return selector.Flink64(int64(v.Uint64)) }))
	placed(t, "uint", NewRecordFlinkUintWriter, flink(func(v *Record) int32 { return selector.Flink64(int64(v.Uint)) }))
	placed(t, "uintptr", NewRecordFlinkUintptrWriter, flink(func(v *Record) int32 { return selector.Flink64(int64(v.Uintptr)) }))
	placed(t, "float32", NewRecordFlinkFloat32Writer, flink(func(v *Record) int32 { return selector.FlinkFloat32(v.Float32) }))
	placed(t, "float64", NewRecordFlinkFloat64Writer, flink(func(v *Record) int32 { return selector.FlinkFloat64(v.Float64) }))
	placed(t, "string", NewRecordFlinkStringWriter, flink(func(v *Record) int32 { return selector.FlinkString(v.String) }))
	placed(t, "bytes", NewRecordFlinkDataWriter, flink(func(v *Record) int32 { return selector.FlinkBytes(v.Data) }))
	placed(t, "time", NewRecordFlinkTimeWriter, flink(func(v *Record) int32 { return selector.FlinkTime(v.Time) }))
	placed(t, "named string", NewRecordFlinkCodeWriter, flink(func(v *Record) int32 { return selector.FlinkString(string(v.Code)) }))
	placed(t, "named int16", NewRecordFlinkLevelWriter, flink(func(v *Record) int32 { return selector.Flink32(int32(v.Level)) }))
	placed(t, "named float32", NewRecordFlinkTempWriter, flink(func(v *Record) int32 { return selector.FlinkFloat32(float32(v.Temp)) }))
	placed(t, "named bytes", NewRecordFlinkRawWriter, flink(func(v *Record) int32 { return selector.FlinkBytes(v.Raw) }))
	placed(t, "bytes of a named type", NewRecordFlinkOctetsWriter, flink(func(v *Record) int32 { return selector.FlinkBytes(bytesOf(v.Octets)) }))
	placed(t, "field of a field", NewRecordFlinkZipWriter, flink(func(v *Record) int32 { return selector.Flink32(v.Place.Zip) }))
	placed(t, "two fields", NewRecordFlinkTwoWriter, flink(func(v *Record) int32 {
		return 31*selector.FlinkString(v.String) + selector.Flink64(int64(v.Int))
	}))
	placed(t, "all", NewRecordFlinkAllWriter, flink(func(v *Record) (h int32) {
		for _, field := range []int32{
			selector.FlinkBool(v.Bool), int32(v.Int8), int32(v.Int16), v.Int32, selector.Flink64(v.Int64), int32(v.Uint32), selector.Flink64(int64(v.Uint64)),
			selector.FlinkFloat32(v.Float32), selector.FlinkFloat64(v.Float64), selector.FlinkBytes(bytesOf(v.Octets)), selector.FlinkString(v.String),
			selector.FlinkBytes(v.Data), selector.FlinkTime(v.Time), selector.FlinkBytes(bytesOf(v.Octets2)), selector.FlinkString(v.Place.Country),
		} {
			h = selector.FlinkCombine(h, field)
		}
		return h
	}))
}

func TestKafka(t *testing.T) {
	kafka := func(hash func(*Record) uint32) func() selector.Selector[Record] {
		return func() selector.Selector[Record] { return selector.KafkaKey(hash) }
	}
	placed(t, "bool", NewRecordKafkaBoolWriter, kafka(func(v *Record) uint32 { return selector.KafkaBool(v.Bool) }))
	placed(t, "int8", NewRecordKafkaInt8Writer, kafka(func(v *Record) uint32 { return selector.Kafka8(uint8(v.Int8)) }))
	placed(t, "int16", NewRecordKafkaInt16Writer, kafka(func(v *Record) uint32 { return selector.Kafka16(uint16(v.Int16)) }))
	placed(t, "int32", NewRecordKafkaInt32Writer, kafka(func(v *Record) uint32 { return selector.Kafka32(uint32(v.Int32)) }))
	placed(t, "int64", NewRecordKafkaInt64Writer, kafka(func(v *Record) uint32 { return selector.Kafka64(uint64(v.Int64)) }))
	placed(t, "int", NewRecordKafkaIntWriter, kafka(func(v *Record) uint32 { return selector.Kafka64(uint64(v.Int)) }))
	placed(t, "uint16", NewRecordKafkaUint16Writer, kafka(func(v *Record) uint32 { return selector.Kafka16(v.Uint16) }))
	placed(t, "uint32", NewRecordKafkaUint32Writer, kafka(func(v *Record) uint32 { return selector.Kafka32(v.Uint32) }))
	placed(t, "uint64", NewRecordKafkaUint64Writer, kafka(func(v *Record) uint32 { return selector.Kafka64(v.Uint64) }))
	placed(t, "uint", NewRecordKafkaUintWriter, kafka(func(v *Record) uint32 { return selector.Kafka64(uint64(v.Uint)) }))
	placed(t, "uintptr", NewRecordKafkaUintptrWriter, kafka(func(v *Record) uint32 { return selector.Kafka64(uint64(v.Uintptr)) }))
	placed(t, "float32", NewRecordKafkaFloat32Writer, kafka(func(v *Record) uint32 { return selector.KafkaFloat32(v.Float32) }))
	placed(t, "float64", NewRecordKafkaFloat64Writer, kafka(func(v *Record) uint32 { return selector.KafkaFloat64(v.Float64) }))
	placed(t, "string", NewRecordKafkaStringWriter, kafka(func(v *Record) uint32 { return selector.KafkaString(v.String) }))
	placed(t, "bytes", NewRecordKafkaDataWriter, kafka(func(v *Record) uint32 { return selector.KafkaBytes(v.Data) }))
	placed(t, "named string", NewRecordKafkaCodeWriter, kafka(func(v *Record) uint32 { return selector.KafkaString(string(v.Code)) }))
	placed(t, "named int16", NewRecordKafkaLevelWriter, kafka(func(v *Record) uint32 { return selector.Kafka16(uint16(v.Level)) }))
	placed(t, "named bytes", NewRecordKafkaRawWriter, kafka(func(v *Record) uint32 { return selector.KafkaBytes(v.Raw) }))
	placed(t, "bytes of a named type", NewRecordKafkaOctetsWriter, kafka(func(v *Record) uint32 { return selector.KafkaBytes(bytesOf(v.Octets)) }))
	placed(t, "field of a field", NewRecordKafkaCountryWriter, kafka(func(v *Record) uint32 { return selector.KafkaString(v.Place.Country) }))
}

// The two choices of a key depend on the key alone; which of them a record takes, on what was written before.
func TestTwoChoices(t *testing.T) {
	choices := func(hash func(*Record) uint64) func() selector.Selector[Record] {
		return func() selector.Selector[Record] { return selector.KeyChoices(hash) }
	}
	placed(t, "string", NewRecordTwoStringWriter, choices(func(v *Record) uint64 { return selector.HashString(v.String) }))
	placed(t, "bytes of a named type", NewRecordTwoOctetsWriter, choices(func(v *Record) uint64 { return selector.HashBytes(bytesOf(v.Octets)) }))
	placed(t, "composite", NewRecordTwoPlaceWriter, choices(func(v *Record) uint64 {
		k := selector.AppendString(nil, v.Place.Country)
		k = selector.Append32(k, uint32(v.Place.Zip))
		return selector.HashBytes(selector.Append64(k, uint64(v.Int)))
	}))
}
