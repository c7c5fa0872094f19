// Package model is what templates see of records: plain values, made from the representation that generated code is made from, but apart from it, so
// that templates of users go on working while rwgen changes inside.
//
//	p := model.New(pkg)
//	for _, r := range p.Records {
//		fmt.Println(r.Name, r.GoType, len(r.Fields))
//	}
//
// The page MODEL.md beside the package templates lists every field with an example, and says what may change from release to release; a test compares it with this package.
//
// Values of this package are only read once they are made, by any number of goroutines.
package model
