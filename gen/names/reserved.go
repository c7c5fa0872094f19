package names

import "go/token"

// predeclared is fixed here rather than asked of go/types, so that the output does not depend on the tool chain that rwgen was
// built with. A test compares the two.
var predeclared = map[string]bool{
	"any": true, "bool": true, "byte": true, "comparable": true, "complex64": true, "complex128": true, "error": true,
	"float32": true, "float64": true, "int": true, "int8": true, "int16": true, "int32": true, "int64": true, "rune": true,
	"string": true, "uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "uintptr": true,
	"true": true, "false": true, "iota": true, "nil": true,
	"append": true, "cap": true, "clear": true, "close": true, "complex": true, "copy": true, "delete": true, "imag": true,
	"len": true, "make": true, "max": true, "min": true, "new": true, "panic": true, "print": true, "println": true,
	"real": true, "recover": true,
}

// Predeclared reports whether name is declared in Go's universe block, such as len, string or nil.
func Predeclared(name string) bool { return predeclared[name] }

// Reserved reports whether name is never handed out: a keyword, a predeclared name, the blank identifier, or nothing.
func Reserved(name string) bool {
	return name == "" || name == "_" || token.IsKeyword(name) || predeclared[name]
}
