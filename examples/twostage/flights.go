package main

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"time"
)

// firstDay is day 0.
func firstDay() time.Time { return time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC) }

// made returns flights made up from a seed: of a quarter of a year, in the order of time, from some airports far more than from others.
func made(seed uint64, count int) []Flight {
	const airports, days = 200, 90
	random := rand.New(rand.NewPCG(seed, 0))
	popular := rand.NewZipf(random, 1.2, 6, airports-1)
	name := func() string {
		n := popular.Uint64()
		return string([]byte{'A' + byte(n/26), 'A' + byte(n%26), 'A' + byte(seed%26)})
	}
	flights := make([]Flight, count)
	for i := range flights {
		flights[i] = Flight{Day: int32(i * days / count), Delay: int32(random.NormFloat64()*20 + 7), Origin: name(), Destination: name()}
	}
	return flights
}

// read reads a file with the columns date, delay, distance, origin and destination.
func read(name string) (flights []Flight, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	rows := csv.NewReader(unzipped)
	rows.FieldsPerRecord = 5
	rows.ReuseRecord = true
	for line := 1; ; line++ {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return flights, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if line == 1 {
			continue // the names of the columns
		}
		date, err := time.Parse("2006/01/02 15:04", row[0])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		delay, err := strconv.ParseInt(row[1], 10, 32)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: delay: %w", name, line, err)
		}
		flights = append(flights, Flight{Day: int32(date.Sub(firstDay()) / (24 * time.Hour)), Delay: int32(delay), Origin: row[3], Destination: row[4]})
	}
}
