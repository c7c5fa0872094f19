package roundtrip_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/big"
	"net/netip"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/rwgen/rwgen/gen/gentest/roundtrip"
	"github.com/rwgen/rwgen/runtime/record"
)

type shape interface{ area() float64 }

type circle struct{ R float64 }

type square struct{ Side float64 }

func (circle) area() float64  { return 0 }
func (*square) area() float64 { return 0 }

// secret has an encoding that only a codec knows.
type secret struct{ n uint32 }

type secretCodec struct{}

func (secretCodec) Append(dst []byte, v *secret) ([]byte, error) {
	return binary.BigEndian.AppendUint32(dst, v.n), nil
}

func (secretCodec) Consume(src []byte, v *secret) error {
	if len(src) != 4 {
		return errors.New("not four bytes")
	}
	v.n = binary.BigEndian.Uint32(src)
	return nil
}

// everything has a field of each kind.
type everything struct {
	Bool    bool
	Int     int
	Small   uint8
	Float   float32
	Complex complex128
	String  string `rw:"max=9,utf8"`
	Bytes   []byte `rw:"max=4"`
	Time    time.Time
	Nano    time.Time `rw:"unixnano"`
	Pointer *everything
	Slice   []map[string]int
	Array   [2]string
	Map     map[float64][]string `rw:"max=2"`
	Sorted  map[string]int16     `rw:"sorted"`
	Shape   shape
	Shapes  []shape
	Secret  map[secret]secret
	Addr    netip.Addr
	URL     *url.URL
	Big     big.Int
	hidden  struct{ X, y int8 }
	Skipped chan int `rw:"-"`
	_       int
}

// hiddenOf uses the unexported field, which only serializers do otherwise.
func hiddenOf(e *everything) int8 { return e.hidden.X + e.hidden.y }

// The reflective serializer agrees with itself.
func TestEverything(t *testing.T) {
	ser, err := record.Reflect[everything](record.UnionOf[shape](circle{}, (*square)(nil)), record.CodecOf[secret](secretCodec{}))
	if err != nil {
		t.Fatal(err)
	}
	var s roundtrip.Suite
	roundtrip.Union[shape](&s, roundtrip.Zero[circle](), roundtrip.Zero[*square]())
	roundtrip.Codec[secret](&s, secretCodec{})
	roundtrip.Record(&s, "everything", ser)
	s.Run(t)
	var v everything
	v.hidden.y = -3
	b, err := ser.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	var back everything
	if _, err := ser.Consume(b, &back); err != nil || hiddenOf(&back) != -3 {
		t.Errorf("the hidden field is %d, %v", hiddenOf(&back), err)
	}
}

type pair struct {
	Name  string
	Count int32
	Raw   []byte
}

// faulty is a serializer with one fault.
type faulty struct {
	record.Serializer[pair]
	fault string
}

func (f faulty) Schema() record.Schema {
	s := f.Serializer.Schema()
	if f.fault == "schema" {
		s.Fingerprint++
	}
	return s
}

func (f faulty) Size(v *pair) int {
	if f.fault == "size" {
		return f.Serializer.Size(v) + 1
	}
	return f.Serializer.Size(v)
}

func (f faulty) Append(dst []byte, v *pair) ([]byte, error) {
	switch f.fault {
	case "bytes":
		return f.Serializer.Append(dst, &pair{v.Name, v.Count &^ 1, v.Raw})
	case "refuses":
		if v.Count < 0 {
			return dst, errors.New("negative")
		}
	}
	return f.Serializer.Append(dst, v)
}

func (f faulty) Put(dst []byte, v *pair) (int, error) {
	n, err := f.Serializer.Put(dst, v)
	switch {
	case f.fault == "short" && err != nil:
		return 0, errors.New("does not fit")
	case f.fault == "beyond" && err == nil:
		return n + 1, nil
	}
	return n, err
}

func (f faulty) Consume(src []byte, v *pair) (int, error) {
	return f.ConsumeLimits(src, v, record.Limits{})
}

func (f faulty) ConsumeLimits(src []byte, v *pair, limits record.Limits) (int, error) {
	n, err := f.Serializer.ConsumeLimits(src, v, limits)
	switch {
	case f.fault == "value" && err == nil:
		v.Count &^= 1
	case f.fault == "truncated" && err != nil:
		return len(src), nil
	case f.fault == "used" && err == nil && v.Name == "":
		v.Name = "left over"
	case f.fault == "shares" && err == nil && len(v.Raw) > 0:
		v.Raw = src[n-len(v.Raw) : n]
	}
	return n, err
}

func (f faulty) Equal(a, b *pair) bool {
	return a.Name == b.Name && (a.Count == b.Count || f.fault == "equal") && bytes.Equal(a.Raw, b.Raw) && (a.Raw == nil) == (b.Raw == nil)
}

func (f faulty) Clone(v *pair) *pair {
	c := *v
	if f.fault != "clone" {
		c.Raw = bytes.Clone(v.Raw)
	}
	return &c
}

func (f faulty) Reset(v *pair) {
	v.Name, v.Raw = "", v.Raw[:0]
	if f.fault != "reset" {
		v.Count = 0
	}
}

func (f faulty) Hash(v *pair) uint64 {
	if f.fault == "hash" {
		return 42
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %d %#v", v.Name, v.Count, v.Raw)
	return h.Sum64()
}

// TestFaulty fails in the programs that TestFindsFaults starts, and tests a serializer without faults otherwise.
func TestFaulty(t *testing.T) {
	ser, err := record.Reflect[pair]()
	if err != nil {
		t.Fatal(err)
	}
	var s roundtrip.Suite
	roundtrip.Record(&s, "pair", record.Serializer[pair](faulty{ser, os.Getenv("ROUNDTRIP_FAULT")}))
	s.Run(t)
}

// Each fault is found.
func TestFindsFaults(t *testing.T) {
	findsFaults(t, "^TestFaulty$", map[string]string{
		"schema":    "the schemas differ",
		"size":      "Size is",
		"bytes":     "bytes differ",
		"refuses":   "Append: generated negative, reflected <nil>",
		"short":     "want ErrShort",
		"beyond":    "Put into",
		"value":     "values differ: .Count",
		"used":      "values differ: .Name",
		"truncated": "want ErrTruncated",
		"shares":    "what was read, without its bytes: values differ: .Raw",
		"equal":     "Equal is true",
		"clone":     "the original of a changed Clone: values differ: .Raw",
		"reset":     "Reset leaves .Count",
		"hash":      "the hashes are 2a and 2a",
	})
}
