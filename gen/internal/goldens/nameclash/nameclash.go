// Package nameclash has names that generated code would like to use itself (case 6 of the public reports on other generators).
package nameclash

//go:generate go tool rwgen

// Names of local variables and parameters, as fields.
//
//rwgen:record
type Fields struct {
	Dst, Src, N, I, J, K, M, Err, V, S, T, X, B string
	Wire, Binary, Math, Slices, Record, Writer  string
	Len, String, Byte, Nil, True, Int, Append   string
	Size, Put, Consume, Schema                  int32
	Type, Func, Range, Map, Go, Select          []string
	Text, Bits, Budget, Limits, Depth, Key, Val []int32
	dst, src, n, i, err, wire, len, string_     map[string]int32
}

// Lower has unexported fields with the names of Go's own identifiers.
//
//rwgen:record
type Lower struct {
	len, cap, append, string, byte, nil, true string
	error, int, uint64, make, new, copy, real []int16
	bits, text, budget, limits, size, key     *int32
	a, i, j                                   []*string
}

// These take the names of variables, packages and functions.
type (
	v     struct{ Dst []string }
	dst   struct{ V []*v }
	time  struct{ N map[string]dst }
	wire  []time
	i     int32
	n     string
	math  float64
	src   []math
	flags map[n]i
)

//rwgen:record
type Types struct {
	V     v
	Vs    []v
	Dst   *dst
	Time  time
	Wire  wire
	I     i
	N     n
	Ns    []n
	Math  math
	Src   src
	Flags flags
}

// Functions and variables that are in the way.
func sizedst()        {}
func putdst()         {}
func consumeV()       {}
func emitTypes()      {}
func tryEmitTypes()   {}
func broadcastTypes() {}
func err()            {}
func core()           {}
func unfit()          {}

var (
	ctx    = 1
	b      = 2
	budget = 3
	full   = 4
	batch  = 5
	choose = 6
)

var _ = []any{
	sizedst, putdst, consumeV, emitTypes, tryEmitTypes, broadcastTypes, err, core, unfit, ctx, b, budget, full, batch, choose, selector{},
}

type selector struct{}

// record has the name of a package, and writers.
//
//rwgen:record
//rwgen:writer ByWire key=Wire,context
//rwgen:writer Iter shuffle
//rwgen:writer W custom=channel
//rwgen:writer X custom=try
//rwgen:writer Try key=Wire choices=2
//rwgen:writer Batch key=Wire,context hash=flink
//rwgen:writer Full load
type record struct {
	Wire    string
	context int64
	gate    bool
}

func channel(v *record, channels int) int      { return int(v.context) % channels }
func try(v *record, channels int) (int, error) { return int(v.context) % channels, nil }

// binary is a record as well.
//
//rwgen:record
//rwgen:writer K key=k
type binary struct {
	k    [3]string
	core []byte
}
