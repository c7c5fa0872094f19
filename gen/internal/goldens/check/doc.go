// Package check tests generated serializers against the reflective one on random values. Each package of goldens calls it for each of its
// records:
//
//	func TestFlight(t *testing.T) { check.Record(t, FlightSerializer{}) }
package check
