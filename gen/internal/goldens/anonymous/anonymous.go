// Package anonymous has struct types without names, with tags.
package anonymous

//go:generate go tool rwgen

//rwgen:record
type Record struct {
	Point struct{ X, Y int32 }
	Info  struct {
		Name  string `json:"name"`
		Tags  []string
		Inner struct {
			A, B string
			On   bool
		} `json:"inner"`
	}
	List []struct {
		Key   string `json:"k"`
		Value int32  `json:"v"`
	}
	Fixed []struct{ A, B uint8 }
	Array [2]struct{ Name string }
	Map   map[string]struct {
		N int32 `json:"n"`
		S string
	}
	Keys map[struct{ A, B int8 }]struct{ C string }
	Opt  *struct {
		A string `json:"a"`
		B int64
	}
	Opts []*struct{ A string }
	Two  **struct {
		N int8 `json:"n"`
	}
	Nest []struct {
		Deep []struct {
			Name string `x:"y"`
			Skip func() `rw:"-"`
		}
	}
	Hidden *struct {
		Keep int32
		Skip func() `rw:"-"`
	}
	HiddenMap map[string]struct {
		Keep string
		Skip chan int `rw:"-"`
	}
}
