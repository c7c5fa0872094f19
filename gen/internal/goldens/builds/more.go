//go:build unix || windows

package builds

// Tagged needs the same functions as OnLinux.
//
//rwgen:record
//rwgen:writer ByName key=Name
type Tagged struct {
	Name string
	Rare map[string]Rare
	Part []*Part
}
