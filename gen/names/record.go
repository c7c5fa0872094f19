package names

// Record holds the names generated for a record type. Users call them, so they follow from the record's name alone.
type Record struct {
	Serializer string // FlightSerializer
	Reader     string // FlightReader
	NewReader  string // NewFlightReader
	Writer            // FlightWriter and NewFlightWriter: the writer whose selector is an option
}

// Writer holds the names generated for one writer of a record.
type Writer struct {
	Writer    string // FlightByOriginWriter
	NewWriter string // NewFlightByOriginWriter
}

// ForRecord returns the names generated for the record type of that name. For an unexported type they are unexported too.
func ForRecord(record string) Record {
	return Record{
		Serializer: record + "Serializer",
		Reader:     record + "Reader",
		NewReader:  like(record, "new"+Upper(record)+"Reader"),
		Writer:     ForWriter(record, ""),
	}
}

// ForWriter returns the names generated for the writer of a record that the user named writer; "" means the record's general
// writer.
func ForWriter(record, writer string) Writer {
	name := record + Upper(writer) + "Writer"
	if writer == "" {
		name = record + "Writer"
	}
	return Writer{Writer: name, NewWriter: like(record, "new"+Upper(name))}
}

// All returns the names of r, in the order in which they are declared.
func (r Record) All() []string {
	return []string{r.Serializer, r.Writer.Writer, r.NewWriter, r.Reader, r.NewReader}
}
