package spec

import (
	"fmt"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// hashable reports the key fields that the hash of a writer does not know. What cannot be a key at all has been reported already and is not among them.
func hashable(w *ir.Writer, report Reporter) {
	if w.Hash == ir.Kafka && len(w.Keys) > 1 {
		report(diag.Key, fmt.Sprintf("key=%s hash=kafka", w.Keys[0]),
			"hash=kafka takes one key field, not %d: Kafka hashes the bytes of one serialized key", len(w.Keys))
		return
	}
	for _, path := range w.Keys {
		why, hint := "", ""
		switch t := path.Leaf().Type; w.Hash {
		case ir.Flink:
			why, hint = notFlink(t, path)
		case ir.Kafka:
			why, hint = notKafka(t)
		}
		if why != "" {
			report(diag.Key, hint, "%s cannot be a key with hash=%s: %s", path, w.Hash, why)
		}
	}
}

// notFlink says why a type that can be a key cannot be one with Flink's hash, and what to do; "" if it can.
func notFlink(t *ir.Type, path ir.Path) (why, hint string) {
	switch t.Kind {
	case ir.Array:
		return "Flink refuses arrays as keys, because their hash in Java is their identity", "a []byte, which is hashed by its content, or hash=xxh3"
	case ir.Struct:
		hint = "its fields as a composite key, or hash=xxh3"
		for f := range t.Encoded() {
			hint = fmt.Sprintf("its fields, such as %s.%s, or hash=xxh3", path, f.Name)
			break
		}
		return "Flink hashes an object by the method of its class, which nobody knows here", hint
	}
	return "", ""
}

// notKafka says why a type that can be a key cannot be one with Kafka's hash, and what to do; "" if it can.
func notKafka(t *ir.Type) (why, hint string) {
	what := ""
	switch t.Kind {
	case ir.Array:
		what = "arrays"
	case ir.Struct:
		what = "structs"
	case ir.Time:
		what = "times"
	default:
		return "", ""
	}
	return "Kafka has no serializer for " + what, "a string, []byte, bool, integer or float, or hash=xxh3"
}
