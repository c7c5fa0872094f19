package record

import "testing"

func TestParseTypeName(t *testing.T) {
	for s, want := range map[string]string{
		"Flight":                                  "Flight",
		"Pair[int,string]":                        "Pair[int,string]",
		"Pair[example.com/a/b.C,main.L·12]":       "Pair[C,L]",
		"Box[gopkg.in/yaml%2ev3.Node]":            "Box[Node]",
		"Box[*[]map[string][4]uint8]":             "Box[*[]map[string][4]u8]",
		"Box[[]uint8]":                            "Box[bytes]",
		"Box[time.Time]":                          "Box[time]",
		"Box[example.com/time.Time]":              "Box[Time]",
		"Box[time.Duration]":                      "Box[Duration]",
		"A[p.B[p.C[int8,*p.D],uint16],complex64]": "A[B[C[i8,*D],u16],c64]",
		`A[struct { X int "rw:\"]},\"" },bool]`:   "A[?,bool]",
		"A[struct {},struct { B = p.B[int]; F func(int, ...string) (a, b int) },int8]": "A[?,?,i8]",
		"A[interface { M(int) string; p.m() },interface {}]":                           "A[?,?]",
		"A[func(int, ...string) (error, bool),chan<- int,<-chan <-chan int,int]":       "A[?,?,?,int]",
		"A[map[string]func(),[]chan int]":                                              "A[map[string]?,[]?]",
		"A[[3]int16]":                                                                  "A[[3]i16]",
		// Nothing reflection produces, but nothing to fail on either.
		"A[": "A", "A[[x]int]": "A[?]", "": "", "A[map[": "A[map[?]?]", "A[int": "A[int]",
	} {
		name, args := parseTypeName(s)
		if got := (&Type{Name: name, Args: args}).InstanceName(); got != want {
			t.Errorf("%s becomes %s, want %s", s, got, want)
		}
	}
}
