//go:build invariants

package gate

// checked says whether it is noticed when a borrowed payload is used for too long.
const checked = true

// poisonByte is what package buffer writes into memory that was given back.
const poisonByte = 0xdb

// loans are the payloads that were lent and must not be used after the next call. The borrower gets a copy, which nobody else uses, so that this is noticed at the call itself: the memory that it
// is a copy of may stay as it is for a long time, as the rest of a chunk, or because other readers share it.
type loans struct{ out [][]byte }

// lend returns a copy of p, until the end.
func (l *loans) lend(p []byte) []byte {
	b := make([]byte, len(p))
	copy(b, p)
	l.out = append(l.out, b)
	return b
}

// end overwrites all that was lent. It is never lent again, so what was kept stays overwritten.
func (l *loans) end() {
	for _, b := range l.out {
		for i := range b {
			b[i] = poisonByte
		}
	}
	clear(l.out)
	l.out = l.out[:0]
}

// hold takes out what was lent, so that end does not end it, until join.
func (l *loans) hold() loans {
	held := *l
	l.out = nil
	return held
}

func (l *loans) join(held loans) { l.out = append(held.out, l.out...) }
