// Package roundtrip tests serializers against the reflective one of package record, on random values.
//
// A [Suite] is a list of serializers, with what the reflective serializer needs to know of their types:
//
//	func TestRecords(t *testing.T) {
//		var s roundtrip.Suite
//		roundtrip.Union[Shape](&s, Circle{}, (*Square)(nil))
//		roundtrip.Record(&s, "Drawing", DrawingSerializer{})
//		roundtrip.Record(&s, "Flight", FlightSerializer{})
//		s.Run(t)
//	}
//
// For each value that it makes up, a suite tests that
//   - both serializers write the same bytes, or refuse the value for the same reason;
//   - Size is the number of bytes written, and Put writes into so many and into no fewer;
//   - both read the value back, into a fresh variable and into one that has been used;
//   - no beginning of the bytes passes for the record;
//   - both serializers agree about damaged bytes;
//   - what is read shares no memory with its bytes, after Detach if there is one;
//   - what was generated on request does what it should, if it was: Equal and Hash see what a comparison by reflection sees, a Clone can be changed without its original,
//     nothing is left after Reset, and the methods of package encoding take and give the bytes of the record.
//
// Streams test writers and readers in the same way, through an exchange; [Sample] and [Fuzz] are for benchmarks and fuzz targets. Serializers of other formats than the native one are
// tested without a reference. rwgen generates such tests: //rwgen:record with=test,fuzz,bench.
//
// Values are a function of the type alone: a test that has failed fails again.
package roundtrip
