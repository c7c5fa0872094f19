package harness

import "github.com/rwgen/rwgen/runtime/selector"

// idStep is odd, so that the IDs of the first 2⁶⁴ records differ, and spreads them over the whole range.
const idStep = 0x9e3779b97f4a7c15

// Keys gives the records of a cell integer keys, to be hashed with selector.Hash64.
type Keys struct {
	touch []uint64 // under Skew: a key for each channel, then
	hot   []uint64 // keys of channel 0, over and over; nil otherwise
}

// NewKeys returns the keys of a cell: all different, or under Skew one for each channel and then 1,024 different ones of channel 0.
func NewKeys(c Cell) Keys {
	var k Keys
	if c.Scenario != Skew {
		return k
	}
	k.touch, k.hot = make([]uint64, c.Partitions), make([]uint64, 0, 1024)
	found := make([]bool, c.Partitions)
	for left, id := c.Partitions, uint64(1); left > 0 || len(k.hot) < cap(k.hot); id++ {
		switch p := selector.Scale(selector.Hash64(id), c.Partitions); {
		case !found[p]:
			found[p], k.touch[p] = true, id
			left--
		case p == 0 && len(k.hot) < cap(k.hot):
			k.hot = append(k.hot, id)
		}
	}
	return k
}

// ID is the key of record number i.
func (k *Keys) ID(i uint64) uint64 {
	if k.hot == nil {
		return i * idStep
	}
	return k.skewed(i)
}

// skewed is ID under Skew.
func (k *Keys) skewed(i uint64) uint64 {
	if touched := uint64(len(k.touch)); i >= touched {
		return k.hot[(i-touched)%1024]
	}
	return k.touch[i]
}

// Sum is the sum of the first n keys, modulo 2⁶⁴.
func (k *Keys) Sum(n uint64) uint64 {
	if k.hot == nil {
		return Numbers(n) * idStep
	}
	first := min(n, uint64(len(k.touch)))
	return Cycle(k.touch, first) + Cycle(k.hot, n-first)
}
