package proto

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// Bounds on what is read. They are far beyond what people write.
const (
	mostBytes       = 64 << 20 // of all files
	mostFiles       = 10_000   // with those that are imported
	mostImports     = 100_000
	mostDefinitions = 20_000  // messages and enums in all files
	mostFields      = 200_000 // in all messages
)

// Load reads Protobuf schemas. It is a [schema.Load]. What is no .proto file by its name, nor a descriptor set by the extensions .binpb, .pb, .desc and .protoset, is one if it can be read as one.
func Load(cfg schema.Config) (pkgs []*ir.Package, diags diag.List) {
	// The libraries that compile and link are not ours, and what they are fed with may come from anywhere.
	at := ""
	defer func() {
		if p := recover(); p != nil {
			diags.Addf(token.Position{Filename: at}, diag.Schema, "the compiler for Protobuf failed: %v", p)
			diags.Sort()
			pkgs = nil
		}
	}()
	l := &loader{cfg: &cfg, diags: &diags, at: &at}
	l.read()
	l.link()
	if len(diags) == 0 {
		pkgs = newBuilder(l).build()
	}
	if len(diags) > 0 {
		diags.Sort()
		return nil, slices.CompactFunc(diags, sameText)
	}
	return pkgs, nil
}

var _ schema.Load = Load

// sameText reports whether two diagnostics say the same of the same place.
func sameText(a, b *diag.Diagnostic) bool { return a.Pos == b.Pos && a.Message == b.Message }

// loader reads and links the files.
type loader struct {
	cfg   *schema.Config
	diags *diag.List
	at    *string // the file that is being worked on
	files []*file
	bytes int
	index index
	// byPath has the files by what they are imported as.
	byPath map[string]*file
	// order has the files so that each comes after those that it imports.
	order []*file
}

// fail adds a diagnostic about a schema.
func (l *loader) fail(pos token.Position, hint, format string, args ...any) *diag.Diagnostic {
	d := l.diags.Addf(pos, diag.Schema, "%s", fmt.Sprintf(format, args...))
	d.Hint = hint
	return d
}
