package archive_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rwgen/rwgen/examples/archive"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

func reading() *archive.Reading {
	return &archive.Reading{Station: "Sonnblick", At: time.Unix(1_700_000_000, 0).UTC(), Values: []float64{-7.5, -7.25}, Labels: map[string]string{"kind": "air"}}
}

// Records become bytes and records again.
func Example_bytes() {
	r := reading()
	data, err := archive.ReadingSerializer{}.Append(nil, r) // behind what is in a slice, which grows as needed
	if err != nil {
		panic(err)
	}
	var buf [256]byte
	n, err := archive.ReadingSerializer{}.Put(buf[:], r) // into memory that is there: no allocation, wire.ErrShort if it is too small
	if err != nil {
		panic(err)
	}
	fmt.Println(len(data), n, archive.ReadingSerializer{}.Size(r), bytes.Equal(data, buf[:n]))

	var got archive.Reading
	n, err = archive.ReadingSerializer{}.Consume(append(data, "and more"...), &got) // from the start of a slice
	if err != nil {
		panic(err)
	}
	fmt.Println(n, got.Station, got.Values)
	// Output:
	// 49 49 49 true
	// 49 Sonnblick [-7.5 -7.25]
}

// Bytes of strangers are read under limits. Errors say where.
func Example_limits() {
	data, err := archive.ReadingSerializer{}.Append(nil, reading())
	if err != nil {
		panic(err)
	}
	limits := record.Limits{
		MaxRecordBytes: 64 << 10, // of a record; 64 MiB by default
		MaxAllocBytes:  1 << 20,  // for slices, maps and pointers of a record; 256 MiB by default
		MaxDepth:       20,       // of recursive types; 1000 by default
	}
	var r archive.Reading
	bomb := append(data[:22:22], 0xff, 0xff, 0xff, 0xff, 0x7f) // 34 billion values
	_, err = archive.ReadingSerializer{}.ConsumeLimits(bomb, &r, limits)
	var at *wire.Error
	fmt.Println(errors.As(err, &at), at.Path, at.Offset, errors.Is(err, wire.ErrTruncated))
	limits.MaxAllocBytes = 8
	_, err = archive.ReadingSerializer{}.ConsumeLimits(data, &r, limits)
	fmt.Println(errors.Is(err, wire.ErrLimit))
	// Output:
	// true Values 22 true
	// true
}

// A file has the schema that it was written under, and frames.
func Example_file() {
	var file bytes.Buffer
	w, err := archive.NewWriter(&file)
	if err != nil {
		panic(err)
	}
	for range 2 {
		if err := w.Write(reading()); err != nil {
			panic(err)
		}
	}
	if err := w.Flush(); err != nil {
		panic(err)
	}
	r, err := archive.NewReader(&file, record.Limits{MaxRecordBytes: 1 << 20})
	if err != nil {
		panic(err)
	}
	for {
		var m archive.Measurement
		err := r.Next(&m)
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		fmt.Printf("%+v\n", m)
	}
	// Output:
	// {Station:Sonnblick Unit:celsius Time:-1 Samples:[-7.5 -7.25]}
	// {Station:Sonnblick Unit:celsius Time:-1 Samples:[-7.5 -7.25]}
}

// The bytes of one version are read as another one.
func Example_versions() {
	old, now := archive.ReadingSerializer{}.Schema(), archive.MeasurementSerializer{}.Schema()
	translation, err := record.Resolve(old, now) // once; nil if the bytes are the same
	if err != nil {
		panic(err)
	}
	data, err := archive.ReadingSerializer{}.Append(nil, reading())
	if err != nil {
		panic(err)
	}
	translated, _, err := translation.Append(nil, data, record.Limits{})
	if err != nil {
		panic(err)
	}
	var m archive.Measurement
	if _, err := (archive.MeasurementSerializer{}).Consume(translated, &m); err != nil {
		panic(err)
	}
	fmt.Println(m.Station, m.Unit, m.Samples)

	_, err = record.Resolve(now, old) // Reading does not know its later name
	var refused *record.ResolveError
	fmt.Println(errors.As(err, &refused), refused.Findings[0].What)
	// Output:
	// Sonnblick celsius [-7.5 -7.25]
	// true the writer's is Measurement
}

// Views are valid as long as the bytes are.
func Example_views() {
	data, err := archive.PacketSerializer{}.Append(nil, &archive.Packet{Topic: "alarm", Payload: []byte("fire")})
	if err != nil {
		panic(err)
	}
	var p archive.Packet
	if _, err := (archive.PacketSerializer{}).Consume(data, &p); err != nil { // copies nothing: p lies in data
		panic(err)
	}
	archive.PacketSerializer{}.Detach(&p) // from here on p is its own
	clear(data)
	fmt.Println(p.Topic, string(p.Payload))
	// Output:
	// alarm fire
}

// What with= asks for.
func Example_values() {
	s := archive.ReadingSerializer{}
	a := reading()
	b := s.Clone(a)
	fmt.Println(s.Equal(a, b), s.Hash(a) == s.Hash(b))
	b.Labels["kind"] = "snow"
	fmt.Println(s.Equal(a, b), a.Labels["kind"])
	s.Reset(b) // zero, but its memory is kept for the next record
	fmt.Printf("%q %d %d\n", b.Station, len(b.Values), cap(b.Values))
	// Output:
	// true true
	// false air
	// "" 0 2
}

// Methods of package encoding let other packages carry records.
func Example_standard() {
	var stream bytes.Buffer
	if err := gob.NewEncoder(&stream).Encode(reading()); err != nil {
		panic(err)
	}
	var r archive.Reading
	if err := gob.NewDecoder(&stream).Decode(&r); err != nil {
		panic(err)
	}
	fmt.Println(r.Station, r.Values)
	// Output:
	// Sonnblick [-7.5 -7.25]
}
