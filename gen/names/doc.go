// Package names allocates the identifiers of generated code.
//
// A [Scope] hands out identifiers that are free: no Go keyword, no predeclared name, nothing reserved or handed out before in
// the scope or one around it. The result depends on the calls alone, so the same input gives the same names everywhere:
//
//	file := names.NewScope()
//	file.Reserve("wire", "Flight")  // imports and the package's own declarations
//	fn := file.Child()
//	fn.Pick("src")                  // "src"
//	fn.Pick("wire", "wireText")     // "wireText": the first candidate that is free
//	fn.Pick("src")                  // "src2": none is free
//
// [ForRecord] and [ForWriter] give the names that users call; those are never changed to avoid a clash.
package names
