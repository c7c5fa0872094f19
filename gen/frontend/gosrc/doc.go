// Package gosrc is the frontend for Go source: it finds the records in Go packages and describes them as [ir.Package] values.
//
//	in, diags, err := gosrc.Load(ctx, gosrc.Config{Dir: dir, Patterns: []string{"./..."}})
//	if err != nil {
//		return err
//	}
//	if err := diags.Err(); err != nil {
//		return err
//	}
//	for _, pkg := range in.Packages {
//		fmt.Print(ir.Dump(pkg))
//	}
//
// # How a load works
//
// A first, quick query of the go command finds the directories that the patterns match. What an earlier run has generated there,
// known by its name and by [ir.Header], is hidden under an overlay: a file that no build includes. So it does not matter whether
// that output is stale, does not parse, or belongs to another package by now. Then one [packages.Load] parses and type-checks the
// packages and all they import from source, without bodies of functions and values of variables. Nothing is compiled and no code of the packages runs.
//
// Type errors are expected: user code refers to generated names that are hidden, or do not exist yet. An error counts only if the
// type of a field of a record is invalid by it. Files that do not parse count if there are records in the package, because others
// may have been lost.
//
// Per directory there is one description of the package, with its in-package tests if a test file mentions a record, and one of the
// external test package. Test files are type-checked only if they may have records.
//
// # What becomes of types
//
// A named type has the first of these encodings that it has at all: the one of time.Time; that of a type of the record's package with the
// directive //rwgen:codec; its own in binary form, by methods UnmarshalBinary and AppendBinary or MarshalBinary that it declares itself; that of its
// structure; its own as text, by methods likewise; for an interface, that of the union that //rwgen:union makes of it. Methods in files named as output
// of the generator do not count. What has none is a diagnostic at the innermost field that the user can edit. A record itself is always its
// structure.
//
// Types in directives are Go expressions in the scope of the file that they stand in. The directive of a union may stand in the package of the
// interface, or at an alias of the interface in the package of the record, which goes first.
//
// The functions of this package may be called by several goroutines at the same time.
package gosrc
