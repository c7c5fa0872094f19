package reference

import "time"

// Stop is a record with everything that is generated on request.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Stop struct {
	Name     string
	Arrives  time.Time
	Distance float64
	Lines    map[string]int32
	Raw      []byte `rw:"view"`
}
