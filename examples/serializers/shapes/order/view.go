package order

// View is a Record whose strings are part of the input when it is read. It has the same bytes: a struct takes what its fields take.
//
//rwgen:record
type View struct {
	ID         uint64
	Customer   string `rw:"view"`
	Created    int64
	Lines      []LineView
	Attributes map[Word]Word
	Address    *AddressView
}

// LineView is a Line.
type LineView struct {
	SKU   string `rw:"view"`
	Qty   int32
	Price float64
	Tags  []Word
}

// AddressView is an Address.
type AddressView struct {
	Street  string `rw:"view"`
	City    string `rw:"view"`
	Country string `rw:"view"`
}

// Word is a string of a slice or a map: only fields can be views.
type Word struct {
	Text string `rw:"view"`
}

// FromRecord makes v the same as r.
func (v *View) FromRecord(r *Record) {
	*v = View{ID: r.ID, Customer: r.Customer, Created: r.Created, Attributes: make(map[Word]Word), Address: (*AddressView)(r.Address)}
	for _, l := range r.Lines {
		line := LineView{SKU: l.SKU, Qty: l.Qty, Price: l.Price, Tags: []Word{}}
		for _, tag := range l.Tags {
			line.Tags = append(line.Tags, Word{tag})
		}
		v.Lines = append(v.Lines, line)
	}
	for key, value := range r.Attributes {
		v.Attributes[Word{key}] = Word{value}
	}
}

// Record returns the same as v, whose strings it shares.
func (v *View) Record() Record {
	r := Record{ID: v.ID, Customer: v.Customer, Created: v.Created, Attributes: make(map[string]string), Address: (*Address)(v.Address)}
	for _, l := range v.Lines {
		line := Line{SKU: l.SKU, Qty: l.Qty, Price: l.Price, Tags: []string{}}
		for _, tag := range l.Tags {
			line.Tags = append(line.Tags, tag.Text)
		}
		r.Lines = append(r.Lines, line)
	}
	for key, value := range v.Attributes {
		r.Attributes[key.Text] = value.Text
	}
	return r
}
