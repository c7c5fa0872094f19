package ir

import "iter"

// MarkRecursive sets [Type.Recursive] of the types that can contain themselves: those that lie on a cycle of the graph. It is Tarjan's algorithm
// for strongly connected components. Types must hold every named type that the others are made of.
func MarkRecursive(types iter.Seq[*Type]) {
	index := make(map[*Type]int)
	low := make(map[*Type]int)
	onStack := make(map[*Type]bool)
	var stack []*Type
	var visit func(t *Type)
	visit = func(t *Type) {
		index[t], low[t] = len(index)+1, len(index)+1
		stack, onStack[t] = append(stack, t), true
		self := false
		for _, next := range successors(t) {
			switch {
			case next == t:
				self = true
			case index[next] == 0:
				visit(next)
				low[t] = min(low[t], low[next])
			case onStack[next]:
				low[t] = min(low[t], index[next])
			}
		}
		if low[t] != index[t] {
			return
		}
		start := len(stack) - 1
		for stack[start] != t {
			start--
		}
		component := stack[start:]
		for _, member := range component {
			member.Recursive = self || len(component) > 1
			onStack[member] = false
		}
		stack = stack[:start]
	}
	for t := range types {
		if index[t] == 0 {
			visit(t)
		}
	}
}

// successors returns the types that t directly consists of.
func successors(t *Type) []*Type {
	var next []*Type
	if t.Key != nil {
		next = append(next, t.Key)
	}
	if t.Elem != nil {
		next = append(next, t.Elem)
	}
	next = append(next, t.Members...)
	for f := range t.Encoded() {
		if f.Type != nil {
			next = append(next, f.Type)
		}
	}
	return next
}
