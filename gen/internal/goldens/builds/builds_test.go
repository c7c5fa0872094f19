package builds

// InTest needs the same functions as OnLinux, and is only there in tests.
//
//rwgen:record
type InTest struct {
	Rare []Rare
	One  []Part
}
