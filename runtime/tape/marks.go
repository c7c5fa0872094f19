package tape

import "math"

// marks is the watermarks of the lanes that are read. The least of them costs the logarithm of the number of lanes for a segment of one lane, and nothing for one of all: those are kept beside the lanes, as a floor for
// each of them.
type marks struct {
	floor int64
	tree  []int64 // minima of what is above the floor, or was: node i has the children 2i and 2i+1, the leaf of lane l is at len/2+l; nil: no lane is read
}

// newMarks returns those of lanes without a watermark yet. Lanes that are passed over are infinite.
func newMarks(skip []bool) marks {
	m := marks{floor: noWatermark}
	leaves := 1
	for leaves < len(skip) {
		leaves *= 2
	}
	tree := make([]int64, 2*leaves)
	for i := range tree {
		tree[i] = math.MaxInt64
	}
	for lane, skipped := range skip {
		if !skipped {
			tree[leaves+lane] = noWatermark
			m.tree = tree
		}
	}
	for i := leaves - 1; i > 0; i-- {
		tree[i] = min(tree[2*i], tree[2*i+1])
	}
	return m
}

// raise sets the watermark of a lane, unless it has a newer one or is passed over.
func (m *marks) raise(lane int, w int64) {
	i := len(m.tree)/2 + lane
	if m.tree == nil || w <= m.tree[i] {
		return
	}
	m.tree[i] = w
	for i /= 2; i > 0; i /= 2 {
		least := min(m.tree[2*i], m.tree[2*i+1])
		if m.tree[i] == least {
			return
		}
		m.tree[i] = least
	}
}

// raiseAll is raise for all lanes.
func (m *marks) raiseAll(w int64) { m.floor = max(m.floor, w) }

// lowest returns the least watermark of the lanes that are read, noWatermark if one of them has none, or none is read.
func (m *marks) lowest() int64 {
	if m.tree == nil {
		return noWatermark
	}
	return max(m.floor, m.tree[1])
}
