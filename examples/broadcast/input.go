package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// The data set: 10,000 wildlife strikes in the United States from 1990 to 2002, from the Wildlife Strike Database of the Federal Aviation Administration, public domain. It has five of
// the columns of that; the rows are in the order of their dates.
//
//go:embed birdstrikes-10k.csv.gz
var embedded []byte

// strikes returns the data set.
func strikes() ([]Strike, error) {
	z, err := gzip.NewReader(bytes.NewReader(embedded))
	if err != nil {
		return nil, err
	}
	return parse(z)
}

var header = []string{"date", "airport", "size", "species", "cost"}

// parse reads strikes from a table with the columns of header. Dates must not go back.
func parse(in io.Reader) ([]Strike, error) {
	r := csv.NewReader(in)
	r.FieldsPerRecord = len(header)
	r.ReuseRecord = true
	var list []Strike
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if line == 1 {
			continue // the header
		}
		s, err := parseRow(row)
		if err == nil && len(list) > 0 && s.Date.Before(list[len(list)-1].Date) {
			err = errors.New("the date is before that of the row above")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		s.ID = int32(len(list))
		list = append(list, s)
	}
}

func parseRow(row []string) (s Strike, err error) {
	if s.Date, err = time.Parse(time.DateOnly, row[0]); err != nil {
		return s, err
	}
	if s.Size, err = sizeNamed(row[2]); err != nil {
		return s, err
	}
	if s.Cost, err = strconv.ParseInt(row[4], 10, 64); err != nil {
		return s, err
	}
	s.Airport, s.Species = row[1], row[3]
	return s, nil
}
