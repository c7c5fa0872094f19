package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

// FuzzTranslate takes a writer's schema from anywhere, a reader's that is made from the seed, and arbitrary bytes. Nothing may panic, and what is made of the bytes stays within the limits and is a
// record of the reader: its own rules pass over all of it.
func FuzzTranslate(f *testing.F) {
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		maker := &typeMaker{rnd: rnd}
		w := maker.record()
		src := encodeModel(nil, form{Type: w}, randomModel(rnd, form{Type: w}, 4))
		f.Add(NewSchema(w.Name, w).Text, seed, src)
	}
	f.Add("rwgen/1 S1{A []S2{B [3]S3{}}}", uint64(1), []byte{0xff, 0xff, 0xff, 0x1f})
	f.Add("rwgen/1 S1{A *@S1,B []@S1}", uint64(2), bytes.Repeat([]byte{1, 2}, 50))
	limits := Limits{MaxRecordBytes: 1 << 16, MaxAllocBytes: 1 << 20, MaxDepth: 50}
	f.Fuzz(func(t *testing.T, text string, seed uint64, src []byte) {
		if len(text) > 4<<10 {
			return
		}
		name, w, err := ParseSchema(text)
		if err != nil {
			return
		}
		rnd := rand.New(rand.NewPCG(seed, 8))
		e := evolution{typeMaker: &typeMaker{rnd: rnd, names: 1000}, next: map[*Type]*Type{}}
		var r *Type
		if endless(w) {
			r = w
		} else {
			r = e.structType(w)
		}
		rs, err := newSchema(name, r)
		if err != nil {
			t.Fatalf("%v, of %s", err, text)
		}
		translation, err := Resolve(Schema{Text: text}, rs)
		if err != nil || translation == nil {
			return
		}
		dst := make([]byte, limits.MaxRecordBytes)
		n, consumed, err := translation.Put(dst, src, limits)
		if err != nil {
			var at *wire.Error
			if !errors.As(err, &at) || at.Offset < 0 || at.Offset > len(src) || n != 0 {
				t.Fatalf("%v after %d bytes of % x", err, n, src)
			}
			return
		}
		if consumed > len(src) || n > len(dst) {
			t.Fatalf("%d of %d bytes make %d", consumed, len(src), n)
		}
		// The reader's rules are made like those of a writer of its schema.
		c := translator{writer: newWidths(), recursive: recursiveStructs(r), skips: map[*Type]*skipBlock{}}
		m := mover{src: dst[:n], budget: limits.Budget()}
		if end, err := m.skipAll(c.skip(form{Type: r}), 0, frame{}); err != nil || end != n {
			t.Fatalf("%s\n%s\n% x became % x: %d of %d bytes are a record, %v", text, rs.Text, src[:consumed], dst[:n], end, n, err)
		}
	})
}
