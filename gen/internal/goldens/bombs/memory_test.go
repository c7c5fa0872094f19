package bombs

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// limits are those under which the bombs are read.
var limits = record.Limits{MaxRecordBytes: 1 << 20, MaxAllocBytes: 1 << 20, MaxDepth: 100}

const (
	// stated is what reading one record may allocate in all under these limits, freed or not, whatever its bytes are: the budget, and twice the largest record for strings, for a record in pieces and for its
	// translation each, with a quarter for what allocation rounds up. Every bomb would take twice as much without the check that is against it.
	stated = (1<<20 + 3*2<<20) * 5 / 4
	// process is what the process that reads all of them may take at its peak, and room what it can take beyond what it has at its start before the system refuses.
	process, room = 256 << 20, 1 << 30
	// size is about how many bytes a bomb has.
	size = 600 << 10
)

// inChild says that the process is the one that reads the bombs.
const inChild = "RWGEN_READS_BOMBS"

// TestMemoryIsBounded reads bytes that promise much, in a process whose memory is bounded: by either serializer, by a reader that gets them whole or in pieces, and by those of another version. Each must be the error
// that it is, and take no more than is stated.
func TestMemoryIsBounded(t *testing.T) {
	if os.Getenv(inChild) != "" {
		capMemory(t, room)
		debug.SetMaxStack(16 << 20)
		detonate(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestMemoryIsBounded$", "-test.v")
	cmd.Env = append(os.Environ(), inChild+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.20000s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: TestMemoryIsBounded/translated_in_a_stream/") {
		t.Fatalf("not all of it has run:\n%.20000s", out)
	}
	if peak := peakMemory(cmd.ProcessState); peak > process {
		t.Errorf("the process took %d bytes, more than %d", peak, process)
	}
}

// bombs returns payloads by what they are, and the error of each. gone is what a writer has between the presence byte and the fields.
func bombs(gone []byte) map[string]bomb {
	const numbers, flags, nested, silents, pointers, byNumber, voids, text, texts, raw, branch, shape, shapes, few, notes = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	// field has v in place of the i-th field behind List.
	field := func(i int, v []byte) []byte {
		p := append([]byte{0}, gone...)
		p = append(p, make([]byte, i-1)...)
		if gone != nil && i > branch {
			p = append(p, 0)
		}
		p = append(p, v...)
		if gone != nil && i <= branch {
			p = append(p, 0)
		}
		return append(p, make([]byte, 15-i)...)
	}
	count := func(n uint64, elems []byte) []byte { return append(binary.AppendUvarint(nil, n+1), elems...) }
	length := func(n uint64, text []byte) []byte { return append(binary.AppendUvarint(nil, n), text...) }
	ones, twos := bytes.Repeat([]byte{1}, size), bytes.Repeat([]byte{2}, size)
	entries := func(n int) (p []byte) {
		for i := range n {
			p = binary.LittleEndian.AppendUint32(p, uint32(i))
		}
		return p
	}
	all := map[string]bomb{
		// Lengths without what they promise.
		"numbers that are not there":      {field(numbers, count(1<<40, nil)), wire.ErrTruncated},
		"numbers beyond all memory":       {field(numbers, count(math.MaxUint64-1, nil)), wire.ErrTruncated},
		"numbers that are there in part":  {field(numbers, count(16<<20, ones)), wire.ErrTruncated},
		"text that is not there":          {field(text, length(1<<30, ones)), wire.ErrTruncated},
		"bytes that are not there":        {field(raw, count(1<<30, ones)), wire.ErrTruncated},
		"texts that are not there":        {field(texts, count(1<<30, ones)), wire.ErrTruncated},
		"entries that are not there":      {field(byNumber, count(1<<20, entries(1000))), wire.ErrTruncated},
		"a text that is not there":        {field(texts, count(3, length(64<<20, ones))), wire.ErrTruncated},
		"more than a bound allows":        {field(few, count(size/2, ones)), wire.ErrLimit},
		"more than a bound, and no bytes": {field(few, count(1<<40, nil)), wire.ErrLimit},
		// Few bytes that are much in memory.
		"structs of pointers":   {field(flags, count(size/2, make([]byte, size))), wire.ErrLimit},
		"pointers that are set": {field(flags, count(5000, bytes.Repeat(append([]byte{0xff, 0xff}, make([]byte, 16*8)...), 5000))), wire.ErrLimit},
		"structs of no bytes":   {field(silents, count(64<<20, nil)), wire.ErrLimit},
		"too many of nothing":   {field(voids, count(64<<20+1, nil)), wire.ErrLimit},
		"pointers to structs":   {field(pointers, count(60_000, ones[:60_000])), wire.ErrLimit},
		"empty texts":           {field(texts, count(size, make([]byte, size))), wire.ErrLimit},
		"slices of slices":      {field(nested, count(size, ones)), wire.ErrLimit},
		"slices in slices":      {field(nested, count(1, count(size, ones))), wire.ErrLimit},
		"structs in slices":     {field(nested, count(1, count(1, count(size/2, make([]byte, size))))), wire.ErrLimit},
		"entries":               {field(byNumber, count(size/4, entries(size/4))), wire.ErrLimit},
		"one key, many times":   {field(voids, count(64<<20, nil)), wire.ErrCorrupt},
		"small members":         {field(shapes, count(50_000, bytes.Repeat([]byte{2, 0}, 50_000))), wire.ErrLimit},
		"members of a union":    {field(shapes, count(60_000, ones[:60_000])), wire.ErrLimit},
		// Nesting.
		"branches in branches":      {field(branch, twos), wire.ErrDepth},
		"members in members":        {field(shape, twos), wire.ErrDepth},
		"branches, many each level": {field(branch, count(size/2, ones)), wire.ErrLimit},
		// A record that is too large.
		"a large record": {field(text, length(1<<20, make([]byte, 1<<20))), wire.ErrLimit},
	}
	all["a long list"] = bomb{append(append([]byte{1}, ones...), gone...), wire.ErrDepth}
	if gone != nil {
		// A translation does not know the bound, but what is there.
		all["more than a bound, and no bytes"] = bomb{all["more than a bound, and no bytes"].payload, wire.ErrTruncated}
		// Each takes 42 bytes in the reader's version.
		all["notes that grow"] = bomb{field(notes, count(size, make([]byte, size))), wire.ErrLimit}
		all["notes that grow beyond the largest record"] = bomb{field(notes, count(30_000, make([]byte, 30_000))), wire.ErrLimit}
	}
	return all
}

type bomb struct {
	payload []byte
	err     error
}

// older is the schema of a writer that lacks the text of notes, and has another field in the record and in branches.
func older() record.Schema {
	text := BombSerializer{}.Schema().Text
	text = strings.Replace(text, "Numbers []i64", "Gone u8,Numbers []i64", 1)
	text = strings.Replace(text, "Branches []@Branch}", "Branches []@Branch,Gone u8}", 1)
	text = strings.Replace(text, "{Seen bool,Text string}", "{Seen bool}", 1)
	name, typ, err := record.ParseSchema(text)
	if err != nil {
		panic(err)
	}
	return record.NewSchema(name, typ)
}

// detonate reads all bombs in all ways.
func detonate(t *testing.T) {
	reflected, err := record.Reflect[Bomb](record.UnionOf[Shape]((*Silent)(nil), (*Chain)(nil)))
	if err != nil {
		t.Fatal(err)
	}
	translation, err := record.Resolve(older(), BombSerializer{}.Schema())
	if err != nil || translation == nil {
		t.Fatalf("%v, %v", translation, err)
	}
	// Whoever has read something has what is made once.
	if _, _, err := translation.Append(nil, make([]byte, 18), limits); err != nil {
		t.Fatal(err)
	}
	stream := func(schema record.Schema, piece int) func(*testing.T, []byte) (uint64, error) {
		return func(t *testing.T, p []byte) (took uint64, err error) {
			p = append(binary.BigEndian.AppendUint32(nil, uint32(len(p))), p...)
			var pieces [][]byte
			for len(p) > 0 {
				n := min(len(p), piece)
				pieces, p = append(pieces, p[:n]), p[n:]
			}
			check.Pieces(t, schema, NewBombReader, limits, pieces, func(ctx context.Context, r *BombReader) error {
				took = allocated(func() { _, err = r.Next(ctx, new(Bomb)) })
				return err
			})
			if !errors.Is(err, gate.ErrCorrupt) {
				t.Errorf("a reader: %v", err)
			}
			return took, err
		}
	}
	direct := func(read func([]byte) error) func(*testing.T, []byte) (uint64, error) {
		return func(_ *testing.T, p []byte) (took uint64, err error) {
			return allocated(func() { err = read(p) }), err
		}
	}
	used, large := new(Bomb), make([]byte, 4<<20)
	for _, way := range []struct {
		name string
		gone []byte
		read func(*testing.T, []byte) (uint64, error)
	}{
		{"generated", nil, direct(func(p []byte) error { _, err := BombSerializer{}.ConsumeLimits(p, new(Bomb), limits); return err })},
		{"generated, used", nil, direct(func(p []byte) error { _, err := BombSerializer{}.ConsumeLimits(p, used, limits); return err })},
		{"reflected", nil, direct(func(p []byte) error { _, err := reflected.ConsumeLimits(p, new(Bomb), limits); return err })},
		{"stream", nil, stream(BombSerializer{}.Schema(), math.MaxInt)},
		{"stream in pieces", nil, stream(BombSerializer{}.Schema(), 20_000)},
		{"translated", []byte{7}, direct(func(p []byte) error {
			b, _, err := translation.Append(nil, p, limits)
			if err == nil {
				_, err = BombSerializer{}.ConsumeLimits(b, new(Bomb), limits)
			}
			return err
		})},
		{"translated into much room", []byte{7}, direct(func(p []byte) error {
			n, _, err := translation.Put(large, p, limits)
			if err == nil && n > limits.MaxRecordBytes {
				return fmt.Errorf("%d bytes were written", n)
			}
			if err == nil {
				_, err = BombSerializer{}.ConsumeLimits(large[:n], new(Bomb), limits)
			}
			return err
		})},
		{"translated in a stream", []byte{7}, stream(older(), math.MaxInt)},
	} {
		for name, b := range bombs(way.gone) {
			t.Run(way.name+"/"+name, func(t *testing.T) {
				took, err := way.read(t, b.payload)
				if !errors.Is(err, b.err) {
					t.Errorf("%v, want %v", err, b.err)
				}
				if took > stated {
					t.Errorf("%d bytes take %d bytes of memory, more than %d", len(b.payload), took, stated)
				}
			})
		}
	}
	t.Run("frames", frames)
}

// frames reads frames that promise more than comes.
func frames(t *testing.T) {
	for name, c := range map[string]struct {
		length uint32
		err    error
	}{
		"the largest": {math.MaxInt32, wire.ErrLimit},
		"too large":   {1<<20 + 1, wire.ErrLimit},
		"the limit":   {1 << 20, gate.ErrCorrupt},
	} {
		for _, piece := range []int{1, 14} {
			p := append(binary.BigEndian.AppendUint32(nil, c.length), make([]byte, 10)...)
			var pieces [][]byte
			for ; len(p) > 0; p = p[min(piece, len(p)):] {
				pieces = append(pieces, p[:min(piece, len(p))])
			}
			check.Pieces(t, BombSerializer{}.Schema(), NewBombReader, limits, pieces, func(ctx context.Context, r *BombReader) (err error) {
				if took := allocated(func() { _, err = r.Next(ctx, new(Bomb)) }); took > stated || !errors.Is(err, c.err) {
					t.Errorf("%s: %v takes %d bytes of memory", name, err, took)
				}
				return err
			})
		}
	}
}

// allocated returns how many bytes f allocates, freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
