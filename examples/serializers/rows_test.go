package main

import (
	"bytes"
	"testing"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
)

// TestRows holds every row of every shape to what the tables say of it.
func TestRows(t *testing.T) {
	t.Run("small", func(t *testing.T) { testShape(t, smallShape()) })
	t.Run("sensor", func(t *testing.T) { testShape(t, sensorShape()) })
	t.Run("order", func(t *testing.T) { testShape(t, orderShape()) })
	t.Run("text", func(t *testing.T) { testShape(t, textShape()) })
}

func testShape[T any](t *testing.T, s shape[T]) {
	rows, err := s.rows()
	if err != nil {
		t.Fatal(err)
	}
	records := s.pool()
	if len(records) != harness.Records {
		t.Fatalf("%d records, want %d", len(records), harness.Records)
	}
	names := make(map[string]bool)
	for _, r := range rows {
		if names[r.Name] {
			t.Errorf("two rows have the name %q", r.Name)
		}
		names[r.Name] = true
		t.Run(r.Name, func(t *testing.T) {
			testReused(t, s, r, records)
			testLoops(t, r)
			testAliasing(t, s, r, records)
		})
		t.Run(r.Name+", stale", func(t *testing.T) { testStale(t, s, r, records) })
	}
}

// testReused encodes every record into the reused buffer and decodes each from there into the reused value.
func testReused[T any](t *testing.T, s shape[T], r harness.Row[T], records []T) {
	for i := range records {
		b, err := r.Codec.Encode(i)
		if err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		got, err := r.Codec.Decode(b)
		if err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		if !s.equal(&got, &records[i]) {
			t.Fatalf("record %d: got %+v, want %+v", i, got, records[i])
		}
	}
}

// testLoops runs the loops over all records, and a second time over some, and sums up their sizes.
func testLoops[T any](t *testing.T, r harness.Row[T]) {
	const n = harness.Records + 10
	size, err := r.Codec.MarshalAll(n)
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for i := range n {
		want += len(r.Codec.Bytes(i % harness.Records))
	}
	if size != want {
		t.Errorf("the loop encoded %d bytes, want %d", size, want)
	}
	if err := r.Codec.UnmarshalAll(n); err != nil {
		t.Error(err)
	}
	if err := r.Codec.RoundTrips(n); err != nil {
		t.Error(err)
	}
}

// testAliasing overwrites the input after it was decoded and looks for the difference.
func testAliasing[T any](t *testing.T, s shape[T], r harness.Row[T], records []T) {
	shared := false
	for i := range records {
		src := bytes.Clone(r.Codec.Bytes(i))
		got, err := r.Codec.Decode(src)
		if err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		for j := range src {
			src[j] ^= 0xff
		}
		shared = shared || !s.equal(&got, &records[i])
	}
	if shared != r.View {
		t.Errorf("what is decoded shares memory with the input: %t, the table says %t", shared, r.View)
	}
}

// testStale decodes all records, and one without data after every second of them, into the same value.
func testStale[T any](t *testing.T, s shape[T], r harness.Row[T], records []T) {
	var zero T
	if err := r.Codec.Prepare(append(records[:harness.Records:harness.Records], zero)); err != nil {
		t.Fatal(err)
	}
	last := r.Codec.Bytes(harness.Records)
	stale := func(n int) (found bool) {
		for i := range n {
			got, err := r.Codec.Decode(r.Codec.Bytes(i))
			if err != nil {
				t.Fatalf("record %d: %v", i, err)
			}
			found = found || !s.equal(&got, &records[i])
			if i%2 == 0 {
				continue
			}
			if got, err = r.Codec.Decode(last); err != nil {
				t.Fatal(err)
			}
			found = found || !s.equal(&got, &zero)
		}
		return found
	}
	if stale(len(records)) {
		t.Error("data of a record is left in the value after the next")
	}
	r.Codec.KeepStale(true)
	if got := stale(64); got != r.Stale {
		t.Errorf("data is left if the row does not reset the value: %t, the table says %t", got, r.Stale)
	}
}
