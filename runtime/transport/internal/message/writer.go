package message

import "encoding/binary"

// Schema gives the schema of a record type a number, which is the server's and holds for the connection.
type Schema struct {
	Number    uint32
	Record    string // Go name of the record type
	Canonical string // text of the schema
	Extras    string // aliases and defaults, which the canonical text leaves out
}

// Type returns [TypeSchema].
func (Schema) Type() Type { return TypeSchema }

// Append appends the message; its channel is always 0. Texts that are too long are cut, see [Schema.Check].
func (m Schema) Append(dst []byte, _ uint32) []byte {
	start := len(dst)
	dst = begin(dst, TypeSchema, 0, 0)
	dst = binary.BigEndian.AppendUint32(dst, m.Number)
	dst = appendText(dst, m.Record)
	dst = appendLong(dst, m.Canonical)
	dst = appendLong(dst, m.Extras)
	return end(dst, start)
}

// Check returns the [*Error] for which a client would refuse the message, nil if there is none.
func (m Schema) Check() error {
	c := checker{t: TypeSchema}
	c.skip(4)
	c.text("record", m.Record)
	c.long("canonical text", m.Canonical)
	c.long("aliases and defaults", m.Extras)
	return c.done()
}

// ParseSchema reads the body of a SCHEMA. That the texts are those of a schema is not checked.
func ParseSchema(body []byte) (Schema, error) {
	f := fields{t: TypeSchema, body: body}
	var m Schema
	m.Number = f.u32("number")
	m.Record = f.text("record")
	m.Canonical = f.long("canonical text")
	m.Extras = f.long("aliases and defaults")
	if err := f.done(); err != nil {
		return Schema{}, err
	}
	return m, nil
}

// Writer says who writes the records of a channel.
type Writer struct {
	Schema    uint32 // number of the records' schema
	Name      string // of the writer
	Selection string // what it selects by
}

// Type returns [TypeWriter].
func (Writer) Type() Type { return TypeWriter }

// Append appends the message. Texts that are too long are cut, see [Writer.Check].
func (m Writer) Append(dst []byte, channel uint32) []byte {
	start := len(dst)
	dst = begin(dst, TypeWriter, 0, channel)
	dst = binary.BigEndian.AppendUint32(dst, m.Schema)
	dst = appendText(dst, m.Name)
	dst = appendText(dst, m.Selection)
	return end(dst, start)
}

// Check returns the [*Error] for which a client would refuse the message, nil if there is none.
func (m Writer) Check() error {
	c := checker{t: TypeWriter}
	c.skip(4)
	c.text("name", m.Name)
	c.text("selection", m.Selection)
	return c.done()
}

// ParseWriter reads the body of a WRITER.
func ParseWriter(body []byte) (Writer, error) {
	f := fields{t: TypeWriter, body: body}
	var m Writer
	m.Schema = f.u32("number of the schema")
	m.Name = f.text("name")
	m.Selection = f.text("selection")
	if err := f.done(); err != nil {
		return Writer{}, err
	}
	return m, nil
}
