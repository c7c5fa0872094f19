package check

import (
	"errors"
	"strings"

	"github.com/rwgen/rwgen/runtime/wire"
)

// kinds are the errors that generated and reflected serializers have to agree on.
var kinds = []error{wire.ErrCorrupt, wire.ErrOverflow, wire.ErrLimit, wire.ErrDepth, wire.ErrUTF8, wire.ErrRange}

// sameError says that the errors of a generated and of the reflective serializer are of one kind and name the same place. If the source is cut for one of them it may be corrupt for the other, and the places need not agree: they
// look at the bytes of several values at once, though not of the same ones, and the first of a run of fields stands for all. Then one place leads into what the other is in, or
// the generated serializer has found it earlier.
func sameError(gen, ref error) bool {
	if gen == nil || ref == nil {
		return gen == ref
	}
	var g, r *wire.Error
	if errors.As(gen, &g) != errors.As(ref, &r) {
		return false
	}
	if errors.Is(gen, wire.ErrTruncated) || errors.Is(ref, wire.ErrTruncated) {
		if !sameKind(gen, ref, g, r) {
			return false
		}
		return g == nil || g.Offset <= r.Offset || within(r.Path, parent(g.Path)) || within(g.Path, parent(r.Path)) || strings.Contains(g.Path+r.Path, "…")
	}
	for _, kind := range kinds {
		if errors.Is(gen, kind) != errors.Is(ref, kind) {
			return false
		}
	}
	return g == nil || samePath(g.Path, r.Path) && g.Offset == r.Offset
}

// sameKind says that two errors, of which one at least says that the source is cut, are of one kind. Of values that are looked at together, the one may miss the last where the other has seen that the first is
// none, or has gone into it and has met a bound.
func sameKind(gen, ref error, g, r *wire.Error) bool {
	switch genCut, refCut := errors.Is(gen, wire.ErrTruncated), errors.Is(ref, wire.ErrTruncated); {
	case genCut && refCut:
		return true
	case genCut:
		return errors.Is(ref, wire.ErrCorrupt) || g != nil && inside(r, g)
	default:
		return errors.Is(gen, wire.ErrCorrupt) || r != nil && inside(g, r)
	}
}

// inside says that the place of an error is in what the other one is about. Paths of which the middle is left out do not tell: then it is not before that.
func inside(err, outer *wire.Error) bool {
	if strings.Contains(err.Path+outer.Path, "…") {
		return err.Offset >= outer.Offset
	}
	return err.Path != outer.Path && within(err.Path, outer.Path)
}

// samePath says that two paths are the same as far as they are spelled out: of a long one the middle is left out, by steps, and a step of generated code may be several of the other's.
func samePath(a, b string) bool {
	headA, tailA, cutA := strings.Cut(a, "…")
	headB, tailB, cutB := strings.Cut(b, "…")
	if !cutA || !cutB {
		return a == b
	}
	return (strings.HasPrefix(headA, headB) || strings.HasPrefix(headB, headA)) && (strings.HasSuffix(tailA, tailB) || strings.HasSuffix(tailB, tailA))
}

// within says that a path leads through another one, or to it.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (outer == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// parent is the path of what the value is in.
func parent(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }
