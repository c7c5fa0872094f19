package emit

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/names"
)

// fn is the body of a function that is being generated. One that writes or reads keeps a position in the buffer: a variable, once there is
// one, plus a constant, so that a run of values of constant size needs no arithmetic at run time.
type fn struct {
	*file
	block *block

	v      string // name of the pointer to the value
	buf    string // name of dst or src
	writes bool   // the function writes to buf
	index  string // name of the position variable; "" as long as the position is constant
	offset int    // beyond index
	stride string // further terms of the position, in loops over values of constant size: "+4*j"
	run    string // name of a pointer to the array of the values of constant size that are written or read; "" if there is none
	start  int    // offset at which that array begins

	other  string          // name of the second value of a function that compares or copies
	state  string          // name of the hash so far
	labels map[string]int  // how often a label of that name stands in the function
	giveUp func() jen.Code // the statement by which a function on request ends early

	depth  string // variable with the levels of nesting that are left, when writing; "" stands for the default limit
	levels int    // levels used up since

	budget string // expression of a *wire.Budget; "" if the function has none

	copies string // expression of a *wire.Copies, from which strings come; "" if the function has none
	empty  bool   // which has copied nothing yet

	interner string // expression of a *wire.Interner; "" if the function has none

	atEnd func() // generates the check of the size of the record, which comes where its end is known; nil if there is none, or no more

	// small says that a function that reads should be cheap enough for the compiler to inline it, if the values it reads are few: see fail.
	small bool
}

// block is a block of statements with its variables.
type block struct {
	*jen.Group
	parent *block
	scope  *names.Scope
	temps  map[string]string // temporaries declared here, by role
}

func (f *file) newFn() *fn {
	return &fn{file: f, labels: map[string]int{}, block: &block{scope: f.scope.Child(), temps: map[string]string{}}}
}

// local allocates a variable of the current block.
func (f *fn) local(candidates ...string) string {
	name := f.block.scope.Pick(candidates...)
	f.locals = append(f.locals, name)
	return name
}

// body returns a generator of the function's outermost block.
func (f *fn) body(generate func()) func(*jen.Group) {
	return func(g *jen.Group) {
		f.block.Group = g
		generate()
	}
}

// nested returns a generator of an inner block. Where the function has a position, it is a plain variable at both ends of the block; the
// caller sees to that with settle before the block.
func (f *fn) nested(generate func()) func(*jen.Group) {
	return func(g *jen.Group) {
		outer := f.block
		f.block = &block{Group: g, parent: outer, scope: outer.scope.Child(), temps: map[string]string{}}
		generate()
		f.settle()
		f.block = outer
	}
}

// strided returns a generator of the block of a loop over values of constant size, which are size bytes apart and counted by j. The loop leaves
// the position alone.
func (f *fn) strided(size int, j string, generate func()) func(*jen.Group) {
	return func(g *jen.Group) {
		outer, offset, stride := f.block, f.offset, f.stride
		f.block = &block{Group: g, parent: outer, scope: outer.scope.Child(), temps: map[string]string{}}
		if size == 1 {
			f.stride += "+" + j
		} else {
			f.stride += fmt.Sprintf("+%d*%s", size, j)
		}
		generate()
		f.block, f.offset, f.stride = outer, offset, stride
	}
}

// The names of temporaries, by role: the number of bytes that a call counted, wrote or read, and its success.
var temporaries = map[string][]string{
	"n":    {"n", "m", "k"},
	"hash": {"next", "nextHash"},
	"err":  {"err", "cause", "reason"},
	"ok":   {"ok"},
}

// temps returns temporaries for an assignment and its operator. Those of the blocks around are shared if nothing new has to be declared;
// otherwise the block gets its own, under names that shadow nothing. declares says that the assignment declares another variable as well.
func (f *fn) temps(declares bool, roles ...string) (list []string, op string) {
	if !declares {
		for _, role := range roles {
			for b := f.block; b != nil; b = b.parent {
				if name, ok := b.temps[role]; ok {
					list = append(list, name)
					break
				}
			}
		}
		if len(list) == len(roles) {
			return list, "="
		}
	}
	list = nil
	for _, role := range roles {
		name, ok := f.block.temps[role]
		if !ok {
			name = f.local(temporaries[role]...)
			f.block.temps[role] = name
		}
		list = append(list, name)
	}
	return list, ":="
}

// at returns the expression of the position, plus extra bytes.
func (f *fn) at(extra int) string {
	s := f.index
	if n := f.offset + extra; n > 0 {
		s += "+" + strconv.Itoa(n)
	}
	if s = strings.TrimPrefix(s+f.stride, "+"); s == "" {
		return "0"
	}
	return s
}

// runOf generates a pointer to the size bytes at the position, of which the caller has checked that they are there, and has them accessed by it until the function that it returns is
// called. The compiler knows the size of an array, so that one test is enough for all values in it, where the position is a variable.
func (f *fn) runOf(size int) (end func()) {
	f.run, f.start = f.local("run", "fixed"), f.offset
	f.block.Id(f.run).Op(":=").Parens(jen.Op("*").Index(jen.Lit(size)).Byte()).Call(f.bufTail(0))
	return func() { f.run = "" }
}

// inRun returns the expression of the position within the run, plus extra bytes.
func (f *fn) inRun(extra int) string {
	s := f.stride
	if n := f.offset - f.start + extra; n > 0 {
		s = strconv.Itoa(n) + s
	}
	return strings.TrimPrefix(s, "+")
}

// tail returns the buffer from the position on, plus extra bytes.
func (f *fn) tail(extra int) jen.Code {
	if f.run != "" {
		return jen.Id(f.run + "[" + f.inRun(extra) + ":]")
	}
	return f.bufTail(extra)
}

func (f *fn) bufTail(extra int) jen.Code {
	if at := f.at(extra); at != "0" {
		return jen.Id(f.buf + "[" + at + ":]")
	}
	return jen.Id(f.buf)
}

// byteAt returns the byte of the buffer at the position, plus extra bytes.
func (f *fn) byteAt(extra int) *jen.Statement {
	if f.run != "" {
		return jen.Id(f.run + "[" + cmp.Or(f.inRun(extra), "0") + "]")
	}
	return jen.Id(f.buf + "[" + f.at(extra) + "]")
}

// left returns the expression of the number of bytes left from the position on.
func (f *fn) left() string {
	s := "len(" + f.buf + ")"
	if f.index != "" {
		s += "-" + f.index
	}
	if f.offset > 0 {
		s += "-" + strconv.Itoa(f.offset)
	}
	return s
}

// fewer returns the condition that fewer than size bytes are left.
func (f *fn) fewer(size int) jen.Code {
	s := "len(" + f.buf + ")"
	if f.index != "" {
		s += "-" + f.index
	} else if f.offset+size == 1 {
		return jen.Id(s).Op("==").Lit(0)
	}
	return jen.Id(s).Op("<").Lit(f.offset + size)
}

// settle makes the position a plain variable.
func (f *fn) settle() {
	switch {
	case f.buf == "" || f.index != "" && f.offset == 0:
		return
	case f.index == "":
		f.index = f.local("i")
		f.block.Id(f.index).Op(":=").Lit(f.offset)
	case f.offset == 1:
		f.block.Id(f.index).Op("++")
	default:
		f.block.Id(f.index).Op("+=").Lit(f.offset)
	}
	f.offset = 0
}

// advance moves the position by the variable n.
func (f *fn) advance(n string) {
	step := jen.Id(n)
	if f.offset > 0 {
		step = jen.Lit(f.offset).Op("+").Id(n)
	}
	if f.index == "" {
		f.index = f.local("i")
		f.block.Id(f.index).Op(":=").Add(step)
	} else {
		f.block.Id(f.index).Op("+=").Add(step)
	}
	f.offset = 0
}

// short is the way out of a function that writes, when the buffer is too small.
func (f *fn) short(g *jen.Group) { g.Return(jen.Lit(0), f.wire("ErrShort")) }

// fail generates the way out of a function that reads: err, which is no [wire.Error] itself, at the position, plus extra bytes. In a small function the error is a
// composite literal, which is next to nothing to the compiler's inliner, while the call of a function is most of what it allows.
func (f *fn) fail(p trail, extra int, err jen.Code) func(*jen.Group) {
	if !f.small || len(p) != 1 || p[0].isIndex {
		return f.pass(p, extra, err)
	}
	fields := []jen.Code{jen.Id("Path").Op(":").Lit(p[0].name)}
	if at := f.at(extra); at != "0" {
		fields = append(fields, jen.Id("Offset").Op(":").Id(at))
	}
	ret := jen.Op("&").Add(f.wire("Error")).Values(append(fields, jen.Id("Err").Op(":").Add(err))...)
	return func(g *jen.Group) { g.Return(jen.Lit(0), ret) }
}

// failWhole is fail for an error that may be that of the whole value that the function reads, which no path leads to: then it is a literal for the same reason.
func (f *fn) failWhole(p trail, extra int, err jen.Code) func(*jen.Group) {
	if len(p) > 0 {
		return f.pass(p, extra, err)
	}
	var fields []jen.Code
	if at := f.at(extra); at != "0" {
		fields = append(fields, jen.Id("Offset").Op(":").Id(at))
	}
	ret := jen.Op("&").Add(f.wire("Error")).Values(append(fields, jen.Id("Err").Op(":").Add(err))...)
	return func(g *jen.Group) { g.Return(jen.Lit(0), ret) }
}

// pass is fail for an error of any kind.
func (f *fn) pass(p trail, extra int, err jen.Code) func(*jen.Group) {
	ret := f.wrap(p, f.at(extra), err)
	return func(g *jen.Group) { g.Return(jen.Lit(0), ret) }
}

// checkRead generates the test of n ≤ 0, as [wire.Uvarint] returns it.
func (f *fn) checkRead(p trail, n string) {
	f.block.If(jen.Id(n).Op("<=").Lit(0)).BlockFunc(f.fail(p, 0, f.wire("UvarintError").Call(jen.Id(n))))
}

// checkError generates the test of err after a call that reads the value at p.
func (f *fn) checkError(p trail, err string) {
	f.block.If(jen.Id(err).Op("!=").Nil()).BlockFunc(f.pass(p, 0, jen.Id(err)))
}
