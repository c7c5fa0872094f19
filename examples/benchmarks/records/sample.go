package records

//go:generate go tool rwgen

// Sample is a measured value with the identifier it is partitioned by.
//
//rwgen:record
//rwgen:writer ByID key=ID
type Sample struct {
	ID    uint64
	Value int64
}
