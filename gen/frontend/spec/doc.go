// Package spec reads what is asked for in words where records are declared, by directives in Go sources, by flags and by configurations: the writers of a record.
//
//	w, d := spec.Parse(spec.Words("ByPlace key=Place hash=flink", pos), pos)
//
// [Parse] knows the words, and [Resolver] finds the fields and functions that they name, in the representation of the record. So all frontends have the same writers, and say the
// same of what is wrong with one.
package spec
