//go:build !linux || !amd64 || race || purego

package buffer

// committed is the least value of the armed word for which a Commit is complete without Confirm: publish is a fence already.
const committed = cold

// publish stores the position of the writer and the cursor.
func (b *Builder) publish(v uint64) {
	b.pos = v
	b.cursor.Store(v)
}

// write stores the position of the writer.
func (b *Builder) write(v uint64) { b.pos = v }

// shown reports whether nobody has to be told of what write has stored. Somebody has: it is not published.
func (b *Builder) shown() bool { return false }

// written returns the position of the writer.
func (b *Builder) written() uint64 { return b.pos }

// CanBarrier reports whether [Barrier] works, which is the condition for arming lanes hot.
func CanBarrier() bool { return true }

// Barrier does nothing: every Commit has made a fence.
func Barrier() {}
