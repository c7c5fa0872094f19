package record_test

import (
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/record"
)

// The versions of the benchmark: a flat record, to which fields were added, one of which was removed, reordered and widened.
type (
	quoteV1 struct {
		ID     uint64
		Time   int64
		Price  float64
		Volume uint32
		Venue  string
		Symbol string
		Old    string
		Firm   bool
	}
	quoteV2 struct {
		ID     uint64
		Time   int64
		Price  float64
		Volume uint64
		Venue  string
		Symbol string
		Firm   bool
		Note   string `rw:"default=none"`
	}
	quoteV3 struct {
		Symbol string
		Venue  string
		Firm   bool
		Volume uint64 `rw:"varint"`
		Price  *float64
		Time   int64
		ID     uint64
	}
)

// BenchmarkOlderVersion compares reading a payload of the reader's schema with reading one of an older version: by translating it and decoding the result, and by translating it alone.
func BenchmarkOlderVersion(b *testing.B) {
	v := quoteV1{1, time.Now().UnixNano(), 99.5, 1000, "XETRA", "DE0007164600", "gone", true}
	for name, run := range map[string]func(b *testing.B){
		"prefix":    olderVersion[quoteV2](v),
		"reordered": olderVersion[quoteV3](v),
	} {
		b.Run(name, run)
	}
}

func olderVersion[W, V any](v V) func(b *testing.B) {
	return func(b *testing.B) {
		w, r := serializer[V](b), serializer[W](b, record.Alias("quoteV1"))
		old, err := w.Append(nil, &v)
		if err != nil {
			b.Fatal(err)
		}
		translation, err := record.Resolve(w.Schema(), r.Schema())
		if err != nil {
			b.Fatal(err)
		}
		same, _, err := translation.Append(nil, old, record.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		var got W
		scratch := make([]byte, 1024)
		b.Run("same", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Consume(same, &got); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("older", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n, _, err := translation.Put(scratch, old, record.Limits{})
				if err == nil {
					_, err = r.Consume(scratch[:n], &got)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("translation", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := translation.Put(scratch, old, record.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestTranslatingAllocatesNothing, in the same and in another order, nested and recursive.
func TestTranslatingAllocatesNothing(t *testing.T) {
	check := func(name string, translation *record.Translation, src []byte) {
		dst := make([]byte, 4096)
		if n := testing.AllocsPerRun(100, func() {
			if _, _, err := translation.Put(dst, src, record.Limits{}); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	v := quoteV1{Venue: "XETRA"}
	w := serializer[quoteV1](t)
	src, err := w.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]record.Schema{"prefix": serializer[quoteV2](t, record.Alias("quoteV1")).Schema(), "reordered": serializer[quoteV3](t, record.Alias("quoteV1")).Schema()} {
		translation, err := record.Resolve(w.Schema(), r)
		if err != nil {
			t.Fatal(err)
		}
		check(name, translation, src)
	}
	translation, err := record.Resolve(serializer[node](t).Schema(), serializer[nodeV2](t, record.Alias("node")).Schema())
	if err != nil {
		t.Fatal(err)
	}
	if src, err = serializer[node](t).Append(nil, &node{"a", []*node{{"b", nil, nil, 1}, nil}, map[string]node{"c": {N: 3}}, 2}); err != nil {
		t.Fatal(err)
	}
	check("nested", translation, src)
}
