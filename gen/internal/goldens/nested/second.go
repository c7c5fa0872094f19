package nested

// Parcel shares structs with the records of the other file.
//
//rwgen:record
type Parcel struct {
	To    *Address
	From  []Address
	Lines []*Line
	Meta  Meta
	Owner Owner
}

// Owner is used in this file only.
type Owner struct {
	Name  string
	Stats []Stats
}
