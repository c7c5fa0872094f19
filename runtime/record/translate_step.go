package record

// step is one thing to do to make a value of the reader from one of the writer.
type step struct {
	op      stepOp
	name    string     // path of the field from the struct that the step is part of
	skips   []skip     // stepCopy, stepDrop
	lit     []byte     // stepWrite
	n       int        // stepBit, stepIf: number of the presence bit; stepSeek: of the offset
	count   int64      // stepArray: elements
	min     int        // stepSlice: least size of an element of the writer
	memory  int64      // stepSlice, stepPointer, members: least memory of an element of the reader
	steps   []step     // of the element, or of the value that may be there
	members []moved    // stepUnion, by the writer's tags
	from    number     // stepNumber
	to      number     // stepNumber
	block   *moveBlock // stepStruct
}

// moved is a member of a union.
type moved struct {
	name   string
	tag    uint64 // of the reader, 0 for none
	memory int64
	steps  []step
}

type stepOp uint8

const (
	stepCopy        stepOp = iota // what skips passes over
	stepDrop                      // pass over it
	stepWrite                     // lit
	stepBit                       // a presence bit as a bool
	stepIf                        // steps if a presence bit is set
	stepPointer                   // a byte, and steps if it is 1
	stepSlice                     // a length plus one, and so many times steps
	stepArray                     // count times steps
	stepUnion                     // a tag, and the steps of that member
	stepStruct                    // a struct with presence bits of the writer's, and others that are not done in place
	stepSeek                      // go on where a field begins
	stepNumber                    // from one form to another
	stepStringBytes               // string to []byte
	stepBytesString               // and back: nil is empty
	stepTimeNano                  // time to unixnano
	stepNanoTime                  // and back
)

// moveBlock are the steps of a struct. It is filled in after others refer to it, because structs are recursive.
type moveBlock struct {
	bits      int      // of the writer
	presence  int      // bytes of them
	consts    []byte   // presence bytes of the reader without bits of the writer
	from      []bitTo  // bits of the writer that are bits of the reader
	straight  bool     // from are all bits of the writer, each in its place
	recursive bool     // a level of depth
	scan      [][]skip // not nil if fields are in another order: rules up to the next place that is sought; the last up to the end
	steps     []step
}

// bitTo is a presence bit of the writer and one of the reader.
type bitTo struct{ writer, reader int }

// number is how a number is written.
type number struct {
	kind   Kind
	bytes  int // 0 for a varint
	bits   int // of the type
	signed bool
}

func numberOf(f form) number {
	n := number{kind: f.Kind}
	n.bits, n.signed = integer(f.Kind)
	if !f.varint {
		n.bytes = n.bits / 8
	}
	return n
}
