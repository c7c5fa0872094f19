package cases

import (
	"reflect"
	"testing"

	"github.com/rwgen/rwgen/gen/gentest/roundtrip"
	"github.com/rwgen/rwgen/runtime/record"
)

// Samples of a schema's records are values of that schema, and differ, whatever it asks for: enums, decimals, times in nanoseconds, unions without null.
func TestSample(t *testing.T) {
	var s roundtrip.Suite
	roundtrip.Union[AllAny](&s, AllAnyBoolean(false), AllAnyInt(0), AllAnyLong(0), AllAnyFloat(0), AllAnyDouble(0), roundtrip.Zero[AllAnyBytes](), AllAnyString(""), Suit(0), MD5{},
		(*Point)(nil), (*Line)(nil), roundtrip.Zero[AllAnyArray](), roundtrip.Zero[AllAnyMap]())
	roundtrip.Union[AllEither](&s, AllEitherString(""), AllEitherLong(0))
	roundtrip.Union[AllOnly](&s, AllOnlyString(""))
	roundtrip.Union[AllAnysItem](&s, AllAnysItemLong(0), AllAnysItemString(""), (*Line)(nil))
	roundtrip.Union[LogicalAny](&s, (*LogicalAnyTimestampMillis)(nil), (*LogicalAnyTimeMillis)(nil), (*LogicalAnyDecimal)(nil), (*LogicalAnyUUID)(nil), (*LogicalAnySpan)(nil),
		(*LogicalAnyAmount)(nil), (*LogicalAnyRawID)(nil))
	suits := map[Suit]int{}
	for _, v := range distinct(t, &s, record.Serializer[All](AllSerializer{})) {
		suits[v.Suit]++
	}
	if len(suits) != 4 {
		t.Errorf("values of the enum: %v, want all four", suits)
	}
	prices, years := map[string]bool{}, map[int]bool{}
	for _, v := range distinct(t, &s, record.Serializer[Logical](LogicalSerializer{})) {
		prices[v.Price.String()] = true
		years[v.At3.Year()] = true
	}
	if len(prices) < 50 || len(years) < 50 {
		t.Errorf("%d different decimals and %d years, want 50 or more", len(prices), len(years))
	}
	s2 := s
	roundtrip.Record(&s2, "All", record.Serializer[All](AllSerializer{}))
	roundtrip.Record(&s2, "Logical", record.Serializer[Logical](LogicalSerializer{}))
	s2.Run(t)
}

// distinct returns samples, of which at most a few are the same.
func distinct[T any](t *testing.T, s *roundtrip.Suite, ser record.Serializer[T]) []*T {
	t.Helper()
	list := roundtrip.Sample(t, s, ser, 200)
	seen := map[string]bool{}
	for _, v := range list {
		b, err := ser.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		seen[string(b)] = true
	}
	if len(seen) < 190 {
		t.Errorf("%v: %d of %d samples are distinct", reflect.TypeFor[T](), len(seen), len(list))
	}
	return list
}
