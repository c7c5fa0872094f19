package emit

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// keyed is the choice by the hash of a key.
func (f *file) keyed(w *ir.Writer) selection {
	s := selection{kind: "Keyed", key: keyNames(w), channels: true, doc: keyedDoc(w)}
	switch w.Hash {
	case ir.Flink:
		s.hash = "Flink"
		s.fields = append(s.fields, fromCore("keyGroups", jen.Int(), "KeyGroups"))
	case ir.Kafka:
		s.hash = "Kafka"
	}
	if w.Choices > 0 {
		s.kind = "Choices"
		s.fields = append(s.fields, f.choices())
	}
	if needsScratch(w) {
		s.fields = append(s.fields, writerField{"key", jen.Index().Byte(), nil})
	}
	// What is one expression stands where it is needed; the rest gets a method.
	if !needsScratch(w) && w.Choices == 0 && (w.Hash != ir.Flink || len(w.Keys) == 1) {
		s.channel = func(recv, v string) *jen.Statement { return f.owner(w, recv, f.hash(w.Hash, keyPlace(v, w.Keys[0]))) }
		return s
	}
	s.method = func(f *fn, recv, v, _ string) {
		hash := f.keyHash(w, recv, v)
		if w.Choices > 0 {
			f.chooseOf(recv, f.qual(selectorPath, "TwoOf").Call(hash, jen.Id(recv).Dot("channels")))
			return
		}
		f.block.Return(f.owner(w, recv, hash))
	}
	return s
}

func keyedDoc(w *ir.Writer) string {
	key := keyNames(w)
	switch {
	case w.Choices > 0:
		return fmt.Sprintf("A key, %s, has two channels, the same on every machine and in every release; a record goes to the one with less data in front of "+
			"its reader. What is computed for a key has to be merged from both.", key)
	case w.Hash == ir.Flink:
		doc := fmt.Sprintf("A record goes to the channel where Flink would send it: to the operator that owns the key group of its key, %s.", key)
		if slices.ContainsFunc(w.Keys, func(p ir.Path) bool { return p.Leaf().Type.Kind == ir.Bytes }) {
			doc += " Bytes count by their content; Flink itself takes no arrays as keys."
		}
		return doc
	case w.Hash == ir.Kafka:
		return fmt.Sprintf("A record goes to the channel with the number of the partition where the default partitioner of Kafka would put its key, %s.", key)
	}
	return fmt.Sprintf("A record goes to the channel that owns the hash of its key, %s: equal keys go to the same channel, on every machine "+
		"and in every release.", key)
}

// owner returns the expression of the channel that a hash belongs to.
func (f *file) owner(w *ir.Writer, recv string, hash jen.Code) *jen.Statement {
	channels := jen.Id(recv).Dot("channels")
	switch w.Hash {
	case ir.Flink:
		return f.qual(selectorPath, "FlinkChannel").Call(hash, jen.Id(recv).Dot("keyGroups"), channels)
	case ir.Kafka:
		return f.qual(selectorPath, "KafkaChannel").Call(hash, channels)
	}
	return f.qual(selectorPath, "Scale").Call(hash, channels)
}

// keyHash generates statements that hash the whole key, and returns the expression of the hash.
func (f *fn) keyHash(w *ir.Writer, recv, v string) jen.Code {
	if w.Hash == ir.Flink && len(w.Keys) > 1 {
		return f.flinkTuple(w, recv, v)
	}
	if !needsScratch(w) {
		return f.hash(w.Hash, keyPlace(v, w.Keys[0]))
	}
	k := f.scratch(recv)
	f.scratchKey(k, v, w)
	f.keep(recv, k)
	return f.hashOf(w.Hash, "Bytes", jen.Id(k))
}

// flinkTuple generates the hash of a Java tuple of the key fields.
func (f *fn) flinkTuple(w *ir.Writer, recv, v string) jen.Code {
	h, k := f.local("h", "hash"), ""
	for i, path := range w.Keys {
		p := keyPlace(v, path)
		var hash jen.Code
		if t := p.typ; t.Kind == ir.Bytes && !isByteSlice(t) {
			if k == "" {
				k = f.scratch(recv)
			} else {
				f.block.Id(k).Op("=").Id(k).Index(jen.Empty(), jen.Lit(0))
			}
			f.appendBytes(k, p)
			hash = f.hashOf(w.Hash, "Bytes", jen.Id(k))
		} else {
			hash = f.hash(w.Hash, p)
		}
		if i == 0 {
			f.block.Id(h).Op(":=").Add(hash)
		} else {
			f.block.Id(h).Op("=").Add(f.qual(selectorPath, "FlinkCombine")).Call(jen.Id(h), hash)
		}
	}
	if k != "" {
		f.keep(recv, k)
	}
	return jen.Id(h)
}

// scratch generates the variable in which the bytes of a key are put together.
func (f *fn) scratch(recv string) string {
	k := f.local("k", "key")
	f.block.Id(k).Op(":=").Id(recv).Dot("key").Index(jen.Empty(), jen.Lit(0))
	return k
}

// keep generates the test that the memory of a key is kept for the next one, unless it is a lot: one huge key must not cost its memory for as long as
// the writer lives.
func (f *fn) keep(recv, k string) {
	f.block.If(jen.Cap(jen.Id(k)).Op("<=").Lit(64).Op("<<").Lit(10)).Block(jen.Id(recv).Dot("key").Op("=").Id(k))
}
