package rwtest

// ring is a queue of bytes that grows as needed. The zero ring is empty.
type ring struct {
	bytes []byte
	head  int // of the first byte
	n     int // bytes in it
}

// write appends p.
func (r *ring) write(p []byte) {
	if need := r.n + len(p); need > len(r.bytes) {
		grown := make([]byte, max(need, 2*len(r.bytes), 512))
		n := r.n
		r.read(grown[:n])
		r.bytes, r.head, r.n = grown, 0, n
	}
	tail := r.head + r.n
	if tail >= len(r.bytes) {
		tail -= len(r.bytes)
	}
	k := copy(r.bytes[tail:], p)
	copy(r.bytes, p[k:])
	r.n += len(p)
}

// read takes len(p) bytes, which must be there, from the front.
func (r *ring) read(p []byte) {
	if len(p) == 0 {
		return
	}
	k := copy(p, r.bytes[r.head:])
	copy(p[k:], r.bytes)
	r.n -= len(p)
	r.head += len(p)
	if r.head >= len(r.bytes) {
		r.head -= len(r.bytes)
	}
}

// cut drops all but the first n bytes.
func (r *ring) cut(n int) { r.n = n }
