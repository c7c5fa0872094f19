package emit

import "github.com/rwgen/rwgen/gen/ir"

// avroWalker finds the functions that the code for a record in the format avro calls, as [walker] does for the native format. It mirrors the decisions of the emitters.
type avroWalker struct {
	walker
	done map[*ir.Avro]bool
}

func (w *avroWalker) record(a *ir.Avro) {
	for _, fld := range a.Fields {
		w.value(fld.Type, true)
	}
}

// value visits a value; field says that it stands in a field of a record by itself.
func (w *avroWalker) value(a *ir.Avro, field bool) {
	if _, ok := w.avroSize(a); w.avroEmpty(a) || ok && w.part == sizePart {
		return
	}
	switch a.Kind {
	case ir.AvroRecord:
		if w.avroInPlace(w.part, a, field) {
			w.record(a)
			return
		}
		if !w.ask(a) {
			w.record(a)
		}
	case ir.AvroArray, ir.AvroMap:
		w.value(a.Elem, false)
	case ir.AvroUnion:
		if other, ok := a.Optional(); ok {
			w.value(other, false)
			return
		}
		if !w.ask(a) {
			for _, b := range a.Branches {
				w.value(b, false)
			}
		}
	}
}

// ask requests the function of a, and reports whether it had been asked for before.
func (w *avroWalker) ask(a *ir.Avro) bool {
	if w.done[a] {
		return true
	}
	w.done[a] = true
	w.request(function{w.part, a.Type, a})
	return false
}
