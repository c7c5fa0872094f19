// Package flight is the shape of real records: departures of the data set of examples/flights, keyed by their origin.
//
// Its 1,024 flights are every 19th of the 20,000 of that example, so that the origins are as unevenly busy as there.
package flight
