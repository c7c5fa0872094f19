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
// packages and all they import from source, without bodies of functions. Nothing is compiled and no code of the packages runs.
//
// Type errors are expected: user code refers to generated names that are hidden, or do not exist yet. An error counts only if the
// type of a field of a record is invalid by it. Files that do not parse count if there are records in the package, because others
// may have been lost.
//
// Per directory there is one description of the package, with its in-package tests if a test file mentions a record, and one of the
// external test package. Test files are type-checked only if they may have records.
//
// The functions of this package may be called by several goroutines at the same time.
package gosrc
