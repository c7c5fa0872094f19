package messages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/gen/internal/goldens/messages/opaque"
	"github.com/rwgen/rwgen/gen/internal/goldens/messages/pb"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/wire"
)

// quake returns one of many quakes.
func quake(i int) *Quake {
	q := &Quake{
		Id: fmt.Sprint("q", i), Magnitude: float64(i%80) / 10, Time: timestamppb.New(time.Unix(int64(i), 5000)),
		Place: &pb.Place{Name: fmt.Sprint("place ", i%7), Country: fmt.Sprint("C", i%5)}, Kind: pb.Kind(i % 4), Raw: bytes.Repeat([]byte{byte(i)}, i%300),
		Tags: map[string]string{"a": fmt.Sprint(i)}, Counts: []int32{int32(i), -1}, Depth: &pb.Quake_Depth{Km: float64(i)}, UpdatedMs: int64(i) * 1000,
	}
	switch i % 3 {
	case 0:
		q.Source = &pb.Quake_Station{Station: fmt.Sprint("S", i%11)}
		q.Net = proto.String("net")
	case 1:
		q.Source = &pb.Quake_Number{Number: int64(i)}
		q.Place = nil
	case 2:
		q.Time, q.Tags, q.Counts, q.Depth = nil, nil, nil, nil
	}
	return q
}

func quakes(n int) []*Quake {
	list := make([]*Quake, n)
	for i := range list {
		list[i] = quake(i)
	}
	return list
}

// laws tests a serializer of messages: that its bytes are what Protobuf makes of the messages, in every room, and that they come back.
func laws[T any, M interface {
	*T
	proto.Message
}](t *testing.T, ser record.Serializer[T], list ...M) {
	t.Helper()
	used := M(new(T))
	for _, v := range list {
		want, err := proto.MarshalOptions{Deterministic: true}.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		size := ser.Size(v)
		if size != len(want) {
			t.Fatalf("Size is %d, the message takes %d bytes", size, len(want))
		}
		for _, room := range []int{0, 1, size / 2, size - 1, size, size + 1, size + 20} {
			if room < 0 {
				continue
			}
			dst := bytes.Repeat([]byte{0xa5}, size+40)
			n, err := ser.Put(dst[:room], v)
			switch {
			case room < size && (n != 0 || err != wire.ErrShort):
				t.Fatalf("Put into %d of %d bytes: %d, %v", room, size, n, err)
			case room >= size && (n != size || err != nil):
				t.Fatalf("Put into %d bytes for %d: %d, %v", room, size, n, err)
			case !bytes.Equal(dst[room:], bytes.Repeat([]byte{0xa5}, size+40-room)):
				t.Fatalf("Put into %d bytes wrote beyond them", room)
			case room >= size:
				readBack(t, ser, dst[:n], v, used)
			}
		}
		for _, room := range []int{0, size / 2, size, size + 3} {
			b, err := ser.Append(append(make([]byte, 0, 3+room), "pre"...), v)
			if err != nil || string(b[:3]) != "pre" {
				t.Fatalf("Append: %q, %v", b, err)
			}
			readBack(t, ser, b[3:], v, used)
		}
		if size > 1 {
			if n, err := ser.ConsumeLimits(want, new(T), record.Limits{MaxRecordBytes: size - 1}); n != 0 || !errors.Is(err, wire.ErrLimit) {
				t.Fatalf("a record above the limit: %d, %v", n, err)
			}
		}
	}
	if n, err := ser.Consume([]byte{0xff}, new(T)); n != 0 || err == nil || err == wire.ErrShort {
		t.Errorf("damaged bytes: %d, %v", n, err)
	}
}

// readBack reads b into a new and into a used variable.
func readBack[T any, M interface {
	*T
	proto.Message
}](t *testing.T, ser record.Serializer[T], b []byte, v, used M) {
	t.Helper()
	for _, into := range []M{new(T), used} {
		src := bytes.Clone(b)
		n, err := ser.Consume(src, into)
		if n != len(b) || err != nil {
			t.Fatalf("Consume of %d bytes: %d, %v", len(b), n, err)
		}
		for i := range src {
			src[i] = 0x5a
		}
		if !proto.Equal(v, into) {
			t.Fatalf("read back:\n%v\nwant\n%v", into, v)
		}
	}
}

func TestSerializers(t *testing.T) {
	t.Run("Quake", func(t *testing.T) { laws(t, QuakeSerializer{}, append(quakes(40), &Quake{})...) })
	t.Run("Tree", func(t *testing.T) { laws(t, TreeSerializer{}, &Tree{Label: "a", Children: []*Tree{{Label: "b"}, {}}}) })
	t.Run("Either", func(t *testing.T) {
		laws(t, EitherSerializer{}, &Either{Value: &pb.Either_Inner{Inner: &Either{Value: &pb.Either_Leaf{}}}})
	})
	t.Run("Depth", func(t *testing.T) { laws(t, DepthSerializer{}, &Depth{Km: math.Copysign(0, -1)}, &Depth{}) })
	t.Run("Must", func(t *testing.T) { laws(t, MustSerializer{}, &Must{Name: proto.String("")}) })
	t.Run("Sample", func(t *testing.T) {
		laws(t, SampleSerializer{}, opaque.Sample_builder{Station: proto.String("s"), Before: opaque.Sample_builder{Value: proto.Int64(3)}.Build()}.Build())
	})
	t.Run("Fast", func(t *testing.T) { laws(t, FastSerializer{}, &Fast{Name: "n", Data: []byte{1, 2}}, &Fast{}) })
	t.Run("FastTree", func(t *testing.T) { laws(t, FastTreeSerializer{}, &FastTree{Label: "a", Next: &FastTree{Label: "b"}}) })
}

// Schemas say the full name of the message, which has nothing to do with the names of Go.
func TestSchemas(t *testing.T) {
	for want, s := range map[string]record.Schema{
		"protobuf/1 rwgen.goldens.Quake":                                                QuakeSerializer{}.Schema(),
		"protobuf/1 rwgen.goldens.Quake.Depth":                                          DepthSerializer{}.Schema(),
		"protobuf/1 rwgen.goldens.opaque.Sample":                                        SampleSerializer{}.Schema(),
		"binary/1 github.com/rwgen/rwgen/gen/internal/goldens/messages.Point":           PointSerializer{}.Schema(),
		"protobuf/1 " + string(new(Must).ProtoReflect().Descriptor().FullName()):        MustSerializer{}.Schema(),
		"protobuf/1 " + string(new(Either).ProtoReflect().Descriptor().FullName()):      EitherSerializer{}.Schema(),
		"protobuf/1 " + string((*FastTree)(nil).ProtoReflect().Descriptor().FullName()): FastTreeSerializer{}.Schema(),
	} {
		format, name, _ := strings.Cut(want, "/1 ")
		if s != record.NamedSchema(format, name) {
			t.Errorf("the schema is %+v, want %s", s, want)
		}
	}
}

// How deeply messages are nested is limited, also for those whose own method has no limit.
func TestDepth(t *testing.T) {
	nested := func(field protowire.Number, levels int) []byte {
		var b []byte
		for range levels {
			b = append(protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.BytesType), uint64(len(b))), b...)
		}
		return b
	}
	limits := record.Limits{MaxDepth: 10}
	for name, read := range map[string]func([]byte) error{
		"Tree": func(b []byte) error { _, err := TreeSerializer{}.ConsumeLimits(b, new(Tree), limits); return err },
		"FastTree": func(b []byte) error {
			_, err := FastTreeSerializer{}.ConsumeLimits(b, new(FastTree), limits)
			return err
		},
	} {
		if err := read(nested(2, 9)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := read(nested(2, 10)); err == nil {
			t.Errorf("%s: messages nested 11 levels deep are read where 10 are allowed", name)
		}
	}
	if _, err := (EitherSerializer{}).Consume(nested(2, record.DefaultMaxDepth), new(Either)); err == nil {
		t.Error("a message in a oneof is nested without limit")
	}
}

// The errors of methods are errors of the record, never a lack of room.
func TestRefused(t *testing.T) {
	room := make([]byte, 100)
	if n, err := (MustSerializer{}).Put(room, &Must{}); n != 0 || err == nil || err == wire.ErrShort || !strings.Contains(err.Error(), "required") {
		t.Errorf("a message without a required field: %d, %v", n, err)
	}
	if n, err := (FastSerializer{}).Put(room, &Fast{Name: "bad"}); n != 0 || !errors.Is(err, pb.ErrFast) {
		t.Errorf("a bad message: %d, %v", n, err)
	}
	if b, err := (FastSerializer{}).Append([]byte("dst"), &Fast{Name: "bad"}); string(b) != "dst" || !errors.Is(err, pb.ErrFast) {
		t.Errorf("a bad message: %q, %v", b, err)
	}
	if n, err := (PointSerializer{}).Put(room, &Point{Name: "bad"}); n != 0 || !errors.Is(err, ErrPoint) {
		t.Errorf("a bad point: %d, %v", n, err)
	}
	if n, err := (PointSerializer{}).Consume(room[:7], new(Point)); n != 0 || !errors.Is(err, ErrPoint) {
		t.Errorf("a point of 7 bytes: %d, %v", n, err)
	}
	// A message that others change meanwhile is written as it was found, whole.
	n, err := FastSerializer{}.Put(room, &Fast{Name: "changed", Data: []byte("data")})
	var back Fast
	if err == nil {
		_, err = FastSerializer{}.Consume(room[:n], &back)
	}
	if err != nil || back.Name != "other" {
		t.Errorf("a message that has become shorter: %q, %v", back.Name, err)
	}
}

func TestBinary(t *testing.T) {
	var s PointSerializer
	v := &Point{Name: strings.Repeat("n", 100), At: [2]int32{1, -2}, note: make(chan struct{})}
	b, err := s.Append(nil, v)
	if err != nil || len(b) != 108 || s.Size(v) != 108 {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	for n := range 108 {
		if _, err := s.Put(make([]byte, n), v); err != wire.ErrShort {
			t.Fatalf("into %d bytes: %v", n, err)
		}
	}
	dst := bytes.Repeat([]byte{0xa5}, 120)
	if n, err := s.Put(dst[:110], v); n != 108 || err != nil || dst[110] != 0xa5 {
		t.Errorf("%d, %v", n, err)
	}
	back := Point{Name: "old", note: v.note}
	if n, err := s.Consume(b, &back); n != 108 || err != nil || back.Name != v.Name || back.At != v.At || back.note != nil {
		t.Errorf("read back %+v, %d, %v", &back, n, err)
	}
	var blob BlobSerializer
	for _, text := range []string{"", "text"} {
		b, err := blob.Append(nil, &Blob{text})
		got := Blob{"old"}
		if err == nil {
			_, err = blob.Consume(b, &got)
		}
		if err != nil || string(b) != text || got.text != text || blob.Size(&got) != len(text) {
			t.Errorf("%q: %q, %+v, %v", text, b, got, err)
		}
	}
}

// fill copies messages into a slice, where they stay.
func fill(list []*Quake) []Quake {
	batch := make([]Quake, len(list))
	for i, q := range list {
		proto.Merge(&batch[i], q)
	}
	return batch
}

// same tests that the same quakes were read from each channel.
func same(t *testing.T, what string, want, got [][]*Quake) {
	t.Helper()
	for channel := range want {
		if !slices.EqualFunc(want[channel], got[channel], func(a, b *Quake) bool { return proto.Equal(a, b) }) {
			t.Errorf("%s: channel %d has %d quakes, or others, want %d", what, channel, len(got[channel]), len(want[channel]))
		}
	}
}

// byKey returns where quakes belong that the key bytes of each select a channel for.
func byKey(list []*Quake, channels int, hash func(*Quake) uint64) [][]*Quake {
	want := make([][]*Quake, channels)
	for _, q := range list {
		channel := selector.Scale(hash(q), channels)
		want[channel] = append(want[channel], q)
	}
	return want
}

// Keys are what getters return: of a field, of one of a message that may not be there, and of a time.
func TestKeys(t *testing.T) {
	const channels = 3
	list := quakes(200)
	send := func(want [][]*Quake, got [][]*Quake, what string) {
		t.Helper()
		same(t, what, want, got)
	}
	producer := [][]Quake{fill(list)}
	send(byKey(list, channels, func(q *Quake) uint64 { return selector.HashString(q.GetId()) }),
		check.Stream(t, channels, producer, NewQuakeByIDWriter, NewQuakeReader), "Id")
	send(byKey(list, channels, func(q *Quake) uint64 {
		return selector.HashBytes(selector.Append32(selector.AppendString(nil, q.GetPlace().GetCountry()), uint32(q.GetKind())))
	}), check.Stream(t, channels, producer, NewQuakeByCountryWriter, NewQuakeReader), "Place.Country,Kind")
	send(byKey(list, channels, func(q *Quake) uint64 { return selector.HashTime(q.GetTime().AsTime()) }),
		check.Stream(t, channels, producer, NewQuakeByTimeWriter, NewQuakeReader), "Time")
}

// Every method of a writer writes the same, and every method of a reader reads it.
func TestWays(t *testing.T) {
	const channels = 3
	list := quakes(200)
	producer := [][]Quake{fill(list)}
	want := check.Stream(t, channels, producer, NewQuakeWhereWriter, NewQuakeReader)
	same(t, "EmitBatch", want, check.StreamBy(t, channels, producer, NewQuakeWhereWriter, NewQuakeReader,
		func(ctx context.Context, w *QuakeWhereWriter, records []Quake) error {
			_, err := w.EmitBatch(ctx, records)
			return err
		}))
	same(t, "TryEmit", want, check.StreamBy(t, channels, producer, NewQuakeWhereWriter, NewQuakeReader,
		func(_ context.Context, w *QuakeWhereWriter, records []Quake) error {
			for i := range records {
				if full, err := w.TryEmit(&records[i]); full != -1 || err != nil {
					return fmt.Errorf("channel %d is full, %w", full, err)
				}
			}
			return nil
		}))
	same(t, "Broadcast", [][]*Quake{list, list, list}, check.Stream(t, channels, producer, NewQuakeAllWriter, NewQuakeReader))
	if len(want[2]) == 0 || len(want[1]) != 0 {
		t.Errorf("the function chose the channels of %d, %d and %d quakes", len(want[0]), len(want[1]), len(want[2]))
	}
}

// The event time of a message is a timestamp, or an integer with its unit.
func TestEventTime(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewQuakeByCountryWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewQuakeReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	batch := make([]Quake, 3)
	for i := range batch {
		batch[i].Time = timestamppb.New(at.Add(time.Duration(i) * time.Second))
	}
	if n, err := w.EmitBatch(t.Context(), batch); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	got := make([]Quake, 3)
	if n, err := r.NextBatch(t.Context(), got); n != 3 || err != nil || !proto.Equal(&got[2], &batch[2]) {
		t.Fatal(n, err, &got[2])
	}
	if ok, ended, err := r.TryNext(&got[0]); ok || ended || err != nil {
		t.Fatal(ok, ended, err)
	}
	if mark, ok := r.Watermark(); !ok || !mark.Equal(at.Add(2*time.Second-5*time.Second-time.Microsecond)) {
		t.Errorf("the watermark is %v, %v", mark, ok)
	}
	if err := errors.Join(w.Close(), r.Close(), x.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// A reader of one message refuses the records of another, whose bytes it could take for its own.
func TestOtherMessage(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewTreeWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewEitherReader(x.Gate(0))
	var fault *record.ResolveError
	if !errors.Is(err, partition.ErrSchema) || !errors.As(err, &fault) || !strings.Contains(err.Error(), "the writer's is rwgen.goldens.Tree") {
		t.Errorf("the reader of another message: %v", err)
	}
	if err := errors.Join(w.Close(), x.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// A panic of a method passes through, and what was written before and after it is read.
func TestPanic(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewPointByNameWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewPointReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	batch := []Point{{Name: "a"}, {Name: "b"}, {Name: "panic"}, {Name: "c"}}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("there was no panic")
			}
		}()
		_, _ = w.EmitBatch(t.Context(), batch)
	}()
	if _, err := w.EmitBatch(t.Context(), batch[3:]); err != nil {
		t.Fatal(err)
	}
	if err := w.Emit(t.Context(), &Point{Name: "bad"}); !errors.Is(err, ErrPoint) {
		t.Errorf("a point that is refused: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for v, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, v.Name)
	}
	if !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("read %q", names)
	}
	if err := errors.Join(r.Close(), x.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// A record of which all is said by fields of constant size is written without allocation; the room is that of the block.
func TestAllocs(t *testing.T) {
	room := make([]byte, 1000)
	q := quake(0)
	q.Tags = nil // for each entry of which the runtime of Protobuf allocates
	if n := testing.AllocsPerRun(100, func() {
		if _, err := (QuakeSerializer{}).Put(room, q); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("Put of a message allocates %v times", n)
	}
	p := &Point{Name: "name"}
	if n := testing.AllocsPerRun(100, func() {
		if m, err := (PointSerializer{}).Put(room, p); err != nil || (PointSerializer{}).Size(p) != m {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("Put and Size of a point allocate %v times", n)
	}
}

func FuzzQuake(f *testing.F) {
	for i := range 3 {
		b, err := QuakeSerializer{}.Append(nil, quake(i))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var v Quake
		n, err := QuakeSerializer{}.Consume(src, &v)
		if err != nil {
			if n != 0 {
				t.Errorf("%d bytes and %v", n, err)
			}
			return
		}
		b, err := QuakeSerializer{}.Append(nil, &v)
		var again Quake
		if err == nil {
			_, err = QuakeSerializer{}.Consume(b, &again)
		}
		if n != len(src) || err != nil || !proto.Equal(&v, &again) {
			t.Errorf("%d of %d bytes, %v:\n%v\n%v", n, len(src), err, &v, &again)
		}
	})
}
