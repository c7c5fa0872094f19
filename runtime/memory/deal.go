package memory

import "math/bits"

// deal sets the sizes of all shares: its guarantee to each, and what is guaranteed to nobody and not held by closed shares in proportion to min(what
// there is, the share's maximum less its guarantee). All of it that the maxima allow is dealt, in units of MinBlock: each share gets the difference of
// two neighbouring points of the rounded running sum, so that no remainder is lost. It returns the shares that have grown. REQUIRES: mu held.
func (p *Pool) deal() (grown []*Share) {
	extra := uint64(max(p.limit-p.guaranteed-p.leaving, 0)) / MinBlock
	weight := func(s *Share) uint64 { return min(extra, uint64(s.max-s.min)/MinBlock) }
	var total uint64
	for _, s := range p.shares {
		total += weight(s)
	}
	stock := min(extra, total)
	var sum, dealt uint64
	for _, s := range p.shares {
		size := s.min
		if total > 0 {
			sum += weight(s)
			hi, lo := bits.Mul64(sum, stock)
			point, _ := bits.Div64(hi, lo, total)
			size += int64(point-dealt) * MinBlock
			dealt = point
		}
		if size > s.size.Swap(size) {
			grown = append(grown, s)
		}
	}
	return grown
}
