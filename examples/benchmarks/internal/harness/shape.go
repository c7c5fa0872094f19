package harness

// A Shape is a type of records with the rows that move them.
type Shape struct {
	// Rows are all rows, the floor first and rwgen last.
	Rows []Row
	// Sum is the sum of the weights of the first n records of a cell, modulo 2⁶⁴.
	Sum func(c Cell, n uint64) uint64
	// Bytes is the mean size of an encoded record.
	Bytes int
}

// Row returns the named row. It panics if there is none.
func (s Shape) Row(name string) Row {
	for _, r := range s.Rows {
		if r.Name == name {
			return r
		}
	}
	panic("harness: no row " + name)
}

// A Row is one way to move records from producers to consumers.
type Row struct {
	Name     string
	HandMade bool // competes for the best of what is made by hand
	// Limit says, over TCP, that no records are moved, only as many bytes as they would take: what the connection itself allows.
	Limit bool
	// Keeps is, over TCP, what the row promises beyond moving records.
	Keeps string
	// Prepare builds everything for one run of n records; it is not measured.
	Prepare func(c Cell, n uint64) (Pipe, error)
}

// A Pipe is a prepared run: each function is called once, each in a goroutine of its own.
type Pipe struct {
	Produce []func() error
	Consume []func() (Tally, error)
	// Close, if not nil, is called after all of them have returned; it is not measured.
	Close func() error
}
