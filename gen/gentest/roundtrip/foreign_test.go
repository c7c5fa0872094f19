package roundtrip_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/gen/gentest/roundtrip"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/writer"
)

// stamp is a record of a format that has no nanoseconds.
type stamp struct {
	Name string
	At   time.Time
	Tags map[string]int32
}

// seconds writes stamps in a format of its own, with one fault.
type seconds struct {
	record.Serializer[stamp]
	fault string
}

func newSeconds(t testing.TB, fault string) seconds {
	ser, err := record.Reflect[stamp]()
	if err != nil {
		t.Fatal(err)
	}
	return seconds{ser, fault}
}

func (s seconds) Schema() record.Schema {
	return record.Schema{Text: "seconds/1 stamp", Fingerprint: 1}
}

func cut(v *stamp) *stamp {
	return &stamp{v.Name, v.At.Truncate(time.Second), v.Tags}
}

func (s seconds) Size(v *stamp) int {
	n := s.Serializer.Size(cut(v))
	if s.fault == "size" {
		n++
	}
	return n
}

func (s seconds) Append(dst []byte, v *stamp) ([]byte, error) {
	if s.fault == "refuses" && strings.HasSuffix(v.Name, "!") {
		return dst, errors.New("loud")
	}
	return s.Serializer.Append(dst, cut(v))
}

func (s seconds) Put(dst []byte, v *stamp) (int, error) { return s.Serializer.Put(dst, cut(v)) }

func (s seconds) Consume(src []byte, v *stamp) (int, error) {
	return s.ConsumeLimits(src, v, record.Limits{})
}

func (s seconds) ConsumeLimits(src []byte, v *stamp, limits record.Limits) (int, error) {
	n, err := s.Serializer.ConsumeLimits(src, v, limits)
	switch {
	case s.fault == "takes" && err != nil:
		return 1, err
	case s.fault == "panics" && err != nil:
		panic("these bytes")
	case s.fault == "drifts" && err == nil:
		v.At = v.At.Add(time.Second)
	case s.fault == "grows" && err == nil:
		v.Name += "."
	case s.fault == "refuses" && err == nil:
		v.Name += "!"
	}
	return n, err
}

// TestForeign fails in the programs that TestFindsForeignFaults starts, and tests a serializer without faults otherwise.
func TestForeign(t *testing.T) {
	var s roundtrip.Suite
	roundtrip.Record(&s, "stamp", record.Serializer[stamp](newSeconds(t, os.Getenv("ROUNDTRIP_FAULT"))))
	s.Run(t)
}

func TestFindsForeignFaults(t *testing.T) {
	findsFaults(t, "^TestForeign$", map[string]string{
		"size":    "Size is",
		"takes":   "an error takes no bytes",
		"panics":  "panic: these bytes",
		"drifts":  "the same value is written as",
		"grows":   "the same value is written as",
		"refuses": "what was read cannot be written: loud",
	})
}

// findsFaults runs a test of this program once for each fault, which must make it fail with the message.
func findsFaults(t *testing.T, test string, faults map[string]string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for fault, message := range faults {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), self, "-test.run="+test)
			cmd.Env = append(os.Environ(), "ROUNDTRIP_FAULT="+fault)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), message) {
				t.Errorf("%v, without %q:\n%s", err, message, out)
			}
		})
	}
}

// note has an encoding as text, which counts because its structure has none. Filled by its structure it would have none either.
type note struct {
	text string
	done chan struct{}
	next *note
}

func (n *note) MarshalText() ([]byte, error) {
	if n.done != nil || n.next != nil {
		return nil, errors.New("made up")
	}
	return []byte(n.text), nil
}

func (n *note) UnmarshalText(p []byte) error { *n = note{text: string(p)}; return nil }

// chain has methods for text, too, but also a structure that has an encoding, which goes first.
type chain struct {
	N    int32
	Next *chain
}

func (*chain) MarshalText() ([]byte, error) { return nil, errors.New("never called") }
func (*chain) UnmarshalText([]byte) error   { return errors.New("never called") }

type notes struct {
	First note
	All   []note
	Chain chain
}

func TestText(t *testing.T) {
	ser, err := record.Reflect[notes]()
	if err != nil {
		t.Fatal(err)
	}
	var s roundtrip.Suite
	roundtrip.Record(&s, "notes", ser)
	s.Run(t)
	long, linked := 0, 0
	for _, v := range roundtrip.Sample(t, &s, ser, 50) {
		long = max(long, len(v.First.text))
		if v.Chain.Next != nil {
			linked++
		}
	}
	if long < 5 || linked == 0 {
		t.Errorf("the longest text has %d bytes, and %d chains have links", long, linked)
	}
}

// Samples are the same in each run, and begin with the zero value.
func TestSample(t *testing.T) {
	ser, err := record.Reflect[pair]()
	if err != nil {
		t.Fatal(err)
	}
	var s roundtrip.Suite
	a, b := roundtrip.Sample(t, &s, ser, 30), roundtrip.Sample(t, &s, ser, 30)
	if !reflect.DeepEqual(a, b) || len(a) != 30 {
		t.Error("samples differ")
	}
	if !reflect.DeepEqual(*a[0], pair{}) || reflect.DeepEqual(*a[1], pair{}) {
		t.Errorf("the first samples are %+v and %+v", *a[0], *a[1])
	}
}

func newStampReader(ser seconds) func(*gate.Gate, ...gate.Option) (*gate.Reader[stamp], error) {
	return func(g *gate.Gate, opts ...gate.Option) (*gate.Reader[stamp], error) {
		return gate.NewReader(g, record.Serializer[stamp](ser), opts...)
	}
}

// forgetful is a writer with one fault.
type forgetful struct {
	*writer.Writer[stamp]
	fault string
	n     int
}

func (w *forgetful) Emit(ctx context.Context, v *stamp) error {
	w.n++
	switch {
	case w.fault == "loses" && w.n == 3:
		return nil
	case w.fault == "doubles" && w.n == 3:
		if err := w.Writer.Emit(ctx, v); err != nil {
			return err
		}
	case w.fault == "alters" && w.n == 3:
		v = &stamp{Name: "another"}
	case w.fault == "fails" && w.n == 3:
		return errors.New("full")
	}
	return w.Writer.Emit(ctx, v)
}

// TestStream fails in the programs that TestFindsStreamFaults starts.
func TestStream(t *testing.T) {
	ser := newSeconds(t, "")
	var s roundtrip.Suite
	roundtrip.Stream(&s, "stamp", record.Serializer[stamp](ser), func(out writer.Output, opts ...writer.Option) (*forgetful, error) {
		w, err := writer.New(out, record.Serializer[stamp](ser), opts...)
		return &forgetful{Writer: w, fault: os.Getenv("ROUNDTRIP_FAULT")}, err
	}, newStampReader(ser))
	s.Run(t)
}

func TestFindsStreamFaults(t *testing.T) {
	findsFaults(t, "^TestStream$", map[string]string{
		"loses":   "39 of 40 records arrived",
		"doubles": "41 of 40 records arrived",
		"alters":  "record 2: ",
		"fails":   "writing: full",
	})
}

// FuzzFaulty fails in the programs that TestFindsFuzzFaults starts.
func FuzzFaulty(f *testing.F) {
	var s roundtrip.Suite
	roundtrip.Fuzz(f, &s, record.Serializer[stamp](newSeconds(f, os.Getenv("ROUNDTRIP_FAULT"))))
}

func TestFindsFuzzFaults(t *testing.T) {
	findsFaults(t, "^FuzzFaulty$", map[string]string{
		"drifts": "the same value is written as",
		"grows":  "the same value is written as",
	})
}

// message is like one of protoc-gen-go: what is not exported is not for others, and strings are UTF-8.
type message struct {
	state  *int
	Name   string              `protobuf:"bytes,1,opt,name=name,proto3"`
	Subs   []*message          `protobuf:"bytes,2,rep,name=subs,proto3"`
	ByName map[string]*message `protobuf:"bytes,3,rep,name=by_name,json=byName,proto3"`
}

func (m *message) ProtoReflect() {}

type messages struct{ record.Serializer[message] }

func (messages) Schema() record.Schema { return record.Schema{Text: "protobuf/1 message"} }

func (messages) Append(dst []byte, m *message) ([]byte, error) {
	if err := m.check(); err != nil {
		panic(err)
	}
	return append(dst, m.Name...), nil
}

func (m *message) check() error {
	if m == nil || m.state != nil || !bytes.Equal([]byte(m.Name), bytes.ToValidUTF8([]byte(m.Name), nil)) {
		return errors.New("no message")
	}
	for _, s := range m.Subs {
		if err := s.check(); err != nil {
			return err
		}
	}
	for name, s := range m.ByName {
		if err := errors.Join((&message{Name: name}).check(), s.check()); err != nil {
			return err
		}
	}
	return nil
}

func TestMessages(t *testing.T) {
	var s roundtrip.Suite
	full := 0
	for _, m := range roundtrip.Sample(t, &s, record.Serializer[message](messages{}), 50) {
		if len(m.Subs) > 0 && len(m.ByName) > 0 {
			full++
		}
	}
	if full == 0 {
		t.Error("no message has any in it")
	}
}
