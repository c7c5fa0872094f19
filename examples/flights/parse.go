package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const columns = 5

// parser turns lines into flights. It is reused from line to line.
type parser struct {
	fields [columns][]byte
	names  map[string]string // airport codes, so that each is allocated once
}

func newParser() *parser { return &parser{names: make(map[string]string)} }

// flight parses one line without its end into f.
func (p *parser) flight(line []byte, f *Flight) error {
	if err := p.split(line); err != nil {
		return err
	}
	var err error
	if f.Date, err = date(p.fields[0]); err != nil {
		return err
	}
	if f.Delay, err = number("delay", p.fields[1]); err != nil {
		return err
	}
	if f.Distance, err = number("distance", p.fields[2]); err != nil {
		return err
	}
	if f.Distance < 0 {
		return fmt.Errorf("distance %d is negative", f.Distance)
	}
	if f.Origin, err = p.airport("origin", p.fields[3]); err != nil {
		return err
	}
	f.Destination, err = p.airport("destination", p.fields[4])
	return err
}

// split cuts a line into its columns. Quotes are rare enough to leave them to encoding/csv.
func (p *parser) split(line []byte) error {
	if bytes.IndexByte(line, '"') >= 0 {
		r := csv.NewReader(bytes.NewReader(line))
		r.FieldsPerRecord = -1
		fields, err := r.Read()
		if err != nil {
			var parse *csv.ParseError
			if errors.As(err, &parse) {
				err = parse.Err
			}
			return err
		}
		if len(fields) != columns {
			return fmt.Errorf("%d columns, want %d", len(fields), columns)
		}
		for i, f := range fields {
			p.fields[i] = []byte(f)
		}
		return nil
	}
	if n := bytes.Count(line, []byte{','}) + 1; n != columns {
		return fmt.Errorf("%d columns, want %d", n, columns)
	}
	for i := range columns - 1 {
		p.fields[i], line, _ = bytes.Cut(line, []byte{','})
	}
	p.fields[columns-1] = line
	return nil
}

const dateLayout = "2006/01/02 15:04"

// date parses the layout by hand where it can, ten times as fast as time.Parse, which has the last word on everything else.
func date(b []byte) (time.Time, error) {
	if len(b) == len(dateLayout) && b[4] == '/' && b[7] == '/' && b[10] == ' ' && b[13] == ':' {
		y, mo, d, h, mi := digits(b[0:4]), digits(b[5:7]), digits(b[8:10]), digits(b[11:13]), digits(b[14:16])
		if y >= 0 && mo >= 1 && mo <= 12 && d >= 1 && d <= 28 && h >= 0 && h < 24 && mi >= 0 && mi < 60 {
			return time.Date(y, time.Month(mo), d, h, mi, 0, 0, time.UTC), nil
		}
	}
	t, err := time.Parse(dateLayout, string(b))
	if err != nil {
		return t, fmt.Errorf("date %.40q is not like %s", b, dateLayout)
	}
	return t, nil
}

// digits returns the number that b spells, or −1.
func digits(b []byte) int {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = 10*n + int(c-'0')
	}
	return n
}

func number(column string, b []byte) (int32, error) {
	n, err := strconv.ParseInt(string(b), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s %.40q is not a whole number of 32 bits", column, b)
	}
	return int32(n), nil
}

func (p *parser) airport(column string, b []byte) (string, error) {
	if name, ok := p.names[string(b)]; ok {
		return name, nil
	}
	name := strings.TrimSpace(string(b))
	if name == "" {
		return "", fmt.Errorf("%s is empty", column)
	}
	if len(p.names) < 1<<16 { // of a data set that is not about airports, keep no more
		p.names[name] = name
	}
	return name, nil
}
