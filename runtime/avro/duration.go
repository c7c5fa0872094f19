package avro

// Duration is a value of the logical type duration: an amount of time in three units, none of which is a fixed number of another. Each may be anything; they are never normalised. Not to be confused with
// [time.Duration], which is what time-millis and time-micros are.
type Duration struct{ Months, Days, Milliseconds uint32 }
