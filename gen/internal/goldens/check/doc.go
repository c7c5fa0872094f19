// Package check tests generated serializers against the reflective one on random values. Each package of goldens calls it for each of its
// records. It tells nil from empty (case 33 of the public reports on other generators), compares floats by their bits (35), and demands that Size is what is written (40):
//
//	func TestFlight(t *testing.T) { check.Record(t, FlightSerializer{}) }
package check
