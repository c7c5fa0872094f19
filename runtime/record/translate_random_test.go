package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

// TestTranslateRandom: whatever becomes of random types over two versions, what the model says of a value is what the translation makes of its bytes, and each schema that Compare refuses is refused with the same findings.
func TestTranslateRandom(t *testing.T) {
	same, translated, refused, lacking := 0, 0, 0, 0
	for seed := range uint64(600) {
		rnd := rand.New(rand.NewPCG(seed, 6))
		maker := &typeMaker{rnd: rnd}
		versions := []*Type{maker.record()}
		for range 2 {
			e := evolution{typeMaker: maker, next: map[*Type]*Type{}, breaks: seed%3 == 0}
			versions = append(versions, e.structType(versions[len(versions)-1]))
		}
		for w, r := range pairs(versions) {
			ws, rs := NewSchema(w.Name, w), NewSchema(r.Name, r)
			translation, err := Resolve(ws, rs)
			found := (&schemaComparison{}).records(w, r)
			var refusal *ResolveError
			if errors.As(err, &refusal) != (len(found) > 0) || err != nil && refusal == nil {
				t.Fatalf("seed %d: %s\n%s\n%v, want %v", seed, ws.Text, rs.Text, err, found)
			}
			if err != nil {
				if !slices.Equal(refusal.Findings, found) {
					t.Fatalf("seed %d: %v, want %v", seed, refusal.Findings, found)
				}
				refused++
				continue
			}
			for k := range 6 {
				v := randomModel(rnd, form{Type: w}, 5)
				src := encodeModel(nil, form{Type: w}, v)
				to, known := convertModel(form{Type: w}, form{Type: r}, v)
				if translation == nil {
					same++
					if want := encodeModel(nil, form{Type: r}, to); !known || !bytes.Equal(src, want) {
						t.Fatalf("seed %d: %s\n%s\nis taken for the same: % x, want % x", seed, ws.Text, rs.Text, src, want)
					}
					continue
				}
				got, n, err := translation.Append([]byte("before"), append(src, "after"...), Limits{})
				if !known {
					lacking++
					if !errors.Is(err, ErrUnknownMember) || string(got) != "before" {
						t.Fatalf("seed %d: a member that the reader lacks: %v", seed, err)
					}
					continue
				}
				translated++
				want := encodeModel([]byte("before"), form{Type: r}, to)
				if err != nil || n != len(src) || !bytes.Equal(got, want) {
					t.Fatalf("seed %d: %s\n%s %q\n% x: %v, %d of %d bytes\n% x, want\n% x", seed, ws.Text, rs.Text, rs.Reading, src, err, n, len(src), got, want)
				}
				if k == 0 {
					truncations(t, translation, src)
				}
			}
		}
	}
	if same < 100 || translated < 1000 || refused < 500 || lacking < 100 {
		t.Errorf("%d values are the same, %d were translated, %d pairs refused, %d values lack a member: too few", same, translated, refused, lacking)
	}
}

// pairs yields all pairs of different versions, both ways.
func pairs(versions []*Type) func(func(w, r *Type) bool) {
	return func(yield func(w, r *Type) bool) {
		for _, w := range versions {
			for _, r := range versions {
				if w != r && !yield(w, r) {
					return
				}
			}
		}
	}
}

// truncations cuts a payload at every offset.
func truncations(t *testing.T, translation *Translation, src []byte) {
	t.Helper()
	for n := range src {
		got, _, err := translation.Append(nil, src[:n:n], Limits{})
		var at *wire.Error
		if !errors.Is(err, wire.ErrTruncated) || !errors.As(err, &at) || at.Offset > n || got != nil {
			t.Fatalf("%d of % x: %v", n, src, err)
		}
	}
}
