// Package memory is the byte budget of one or more exchanges: blocks of 1 to 32 KiB cut from slabs.
//
// A [Pool] hands out [Segment] values whose sizes are powers of two from [MinBlock] to [MaxBlock]. Slabs are mapped outside the Go
// heap on Unix, so a pool of any size costs the garbage collector nothing; elsewhere, and under the race detector, they
// are ordinary byte slices. Memory is mapped when first needed and unmapped by [Pool.Close].
//
//	p, err := memory.NewPool(1 << 20)
//	if err != nil { … }
//	s, ok := p.Acquire(4 << 10)
//	…
//	p.Release(s)
//	err = p.Close()
//
// Several users of one pool take [Share] values of it ([Pool.NewShare]), each with a guarantee that the others cannot use up and a portion of what is
// guaranteed to nobody:
//
//	share, err := p.NewShare(64<<10, 1<<20, wake)
//	s, ok := share.Acquire(4 << 10)
//	…
//	share.Release(s)
//	share.Close()
//
// A Pool may be used from any goroutine. A Segment belongs to whoever acquired it until it is released.
package memory
