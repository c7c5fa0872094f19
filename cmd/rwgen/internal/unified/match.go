package unified

import "sort"

// pair is a line that both texts have, by its indexes.
type pair struct{ a, b int }

// match returns lines that the texts have in common, in the order of both. It is the patience diff: lines that occur once in each text are
// anchors, which keeps blocks of code together, and takes no more than n log n steps. Between anchors, where the texts are short, the
// longest common subsequence is found; where they are long and have nothing unique, they count as different.
func match(a, b []string) []pair {
	m := &matcher{a: a, b: b}
	m.between(0, len(a), 0, len(b))
	return m.pairs
}

// maxTable bounds the product of the lengths up to which the longest common subsequence is looked for.
const maxTable = 1 << 20

type matcher struct {
	a, b  []string
	pairs []pair
}

// between matches a[a0:a1] with b[b0:b1].
func (m *matcher) between(a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 && m.a[a0] == m.b[b0] {
		m.pairs = append(m.pairs, pair{a0, b0})
		a0, b0 = a0+1, b0+1
	}
	tail := 0
	for a0 < a1-tail && b0 < b1-tail && m.a[a1-tail-1] == m.b[b1-tail-1] {
		tail++
	}
	a1, b1 = a1-tail, b1-tail
	if a0 < a1 && b0 < b1 {
		if anchors := increasing(m.unique(a0, a1, b0, b1)); len(anchors) > 0 {
			i, j := a0, b0
			for _, p := range anchors {
				m.between(i, p.a, j, p.b)
				m.pairs = append(m.pairs, p)
				i, j = p.a+1, p.b+1
			}
			m.between(i, a1, j, b1)
		} else if (a1-a0)*(b1-b0) <= maxTable {
			m.longest(a0, a1, b0, b1)
		}
	}
	for i := range tail {
		m.pairs = append(m.pairs, pair{a1 + i, b1 + i})
	}
}

// unique returns the lines that occur exactly once in each range, in the order of a.
func (m *matcher) unique(a0, a1, b0, b1 int) []pair {
	type seen struct{ inA, inB, b int }
	lines := make(map[string]*seen)
	for _, line := range m.a[a0:a1] {
		if lines[line] == nil {
			lines[line] = &seen{}
		}
		lines[line].inA++
	}
	for j := b0; j < b1; j++ {
		if s := lines[m.b[j]]; s != nil {
			s.inB++
			s.b = j
		}
	}
	var pairs []pair
	for i := a0; i < a1; i++ {
		if s := lines[m.a[i]]; s.inA == 1 && s.inB == 1 {
			pairs = append(pairs, pair{i, s.b})
		}
	}
	return pairs
}

// increasing returns the longest part of pairs, which are in the order of a, that is in the order of b as well.
func increasing(pairs []pair) []pair {
	var ends []int // ends[k] is the pair with the smallest b at the end of a chain of k+1 pairs
	before := make([]int, len(pairs))
	for i, p := range pairs {
		k := sort.Search(len(ends), func(k int) bool { return pairs[ends[k]].b >= p.b })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	chain := make([]pair, len(ends))
	for i, k := ends[len(ends)-1], len(ends)-1; k >= 0; i, k = before[i], k-1 {
		chain[k] = pairs[i]
	}
	return chain
}

// longest adds a longest common subsequence of the ranges.
func (m *matcher) longest(a0, a1, b0, b1 int) {
	rows := a1 - a0
	columns := b1 - b0
	table := make([]int32, (rows+1)*(columns+1)) // of what is left from here on
	at := func(i, j int) *int32 { return &table[i*(columns+1)+j] }
	for i := rows - 1; i >= 0; i-- {
		for j := columns - 1; j >= 0; j-- {
			if m.a[a0+i] == m.b[b0+j] {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	for i, j := 0, 0; i < rows && j < columns; {
		switch {
		case m.a[a0+i] == m.b[b0+j]:
			m.pairs = append(m.pairs, pair{a0 + i, b0 + j})
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
}
