package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/runtime/rwimpl"
)

// version is the version of the generated code, counted up when it calls something that earlier runtimes do not have.
const version = rwimpl.Newest

// versionWindow generates constants that compile only with a runtime that fits.
func (f *file) versionWindow() {
	f.docs("If this does not compile, this file and the runtime are too far apart. The first line fails if the file is too old for " +
		"the runtime: run go generate. The second one fails if the runtime is too old for the file: run go get " +
		"github.com/rwgen/rwgen@latest.")
	enforce := func(code jen.Code) jen.Code { return jen.Id("_").Op("=").Add(f.qual(rwimplPath, "Enforce")).Call(code) }
	f.out.Const().Defs(
		enforce(jen.Lit(version).Op("-").Add(f.qual(rwimplPath, "Oldest"))),
		enforce(f.qual(rwimplPath, "Newest").Op("-").Lit(version)),
	)
	f.out.Line()
}
