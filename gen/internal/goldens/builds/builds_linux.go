package builds

// OnLinux needs functions that no file of every build has.
//
//rwgen:record
type OnLinux struct {
	Rare   []Rare
	Shared []Shared
}
