package gosrc

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// format reads the value of format= behind //rwgen:record, nil if it is none.
func (p *directiveParser) format(w word) *ir.Format {
	format, problem, hint := formatName(w.text)
	if problem != "" {
		p.fail(w.pos, hint, "%s", problem)
		return nil
	}
	return &format
}

// formatName returns the format of a name, and says what is wrong with it and what would be right.
func formatName(name string) (format ir.Format, problem, hint string) {
	format, ok := ir.ParseFormat(name)
	if ok && slices.Contains(ir.GoFormats(), name) {
		return format, "", ""
	}
	hint = "format=" + strings.Join(ir.GoFormats(), ", ")
	if near := diag.Nearest(name, ir.GoFormats()); near != "" && name != "" {
		hint = near
	}
	if ok {
		return 0, fmt.Sprintf("format=: the format %s is for records that come from a schema file", name), hint
	}
	return 0, fmt.Sprintf("format=: %q is no format", name), hint
}

// format returns the format of a record.
func (u *unit) format(r root, decl *typeDecl) ir.Format {
	switch {
	case r.format != nil:
		return *r.format
	case decl.record || len(decl.instances) > 0 || u.cfg.Format == "":
		return ir.Native
	}
	format, _ := ir.ParseFormat(u.cfg.Format)
	return format
}

// called completes a record whose bytes methods of its type make. Fields have no part in that, so they need no encoding.
func (b *builder) called(r *ir.Record, root root, decl *typeDecl) {
	t, at := root.typ, place{path: root.name, pos: decl.spec.Name.Pos()}
	fail := func(hint, format string, args ...any) {
		b.u.diags.Addf(r.Pos, diag.Record, "%s cannot have the format %s: %s", r.Name, r.Format, fmt.Sprintf(format, args...)).Hint = hint
	}
	var e *ir.Encoding
	if r.Format == ir.OwnBinary {
		if e = b.methods(t, ir.Binary); e == nil {
			fail("methods of the type: AppendBinary(dst []byte) ([]byte, error) or MarshalBinary() ([]byte, error), and UnmarshalBinary(src []byte) error",
				"%s does not declare UnmarshalBinary and one of AppendBinary and MarshalBinary", b.typeString(t))
		}
	} else {
		e = b.message(r, t, fail)
	}
	name := b.goName(t, at)
	if e == nil || name == nil {
		return
	}
	if r.Format == ir.OwnBinary {
		r.Called = types.TypeString(t, nil)
	}
	r.Type = &ir.Type{Kind: ir.Codec, Name: name, Codec: e, GoSize: b.u.sizes.of(t).size}
}
