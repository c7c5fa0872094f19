package lock

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/record"
)

// renamed finds fields that are new in today's type while another of the same type is gone from the same struct: to package record that is
// one field to skip and one to set to its default, which breaks nothing, but most of the time it is a renamed field without an alias.
func renamed(was, now *record.Type) []record.Incompatibility {
	w := renameSearch{seen: make(map[[2]*record.Type]bool)}
	w.types(now.InstanceName(), was, now)
	return w.found
}

type renameSearch struct {
	found []record.Incompatibility
	seen  map[[2]*record.Type]bool
}

// types looks for renamed fields in a pair of types that stand in the same place.
func (w *renameSearch) types(path string, was, now *record.Type) {
	for now != nil && was != nil && now.Kind == record.KindPointer {
		if now = now.Elem; was.Kind == record.KindPointer {
			was = was.Elem
		}
	}
	if was == nil || now == nil || was.Kind != now.Kind || w.seen[[2]*record.Type{was, now}] {
		return
	}
	w.seen[[2]*record.Type{was, now}] = true
	switch now.Kind {
	case record.KindStruct:
		w.fields(path, was, now)
	case record.KindSlice, record.KindArray, record.KindMap:
		w.types(path+"[]", was.Elem, now.Elem)
	}
}

func (w *renameSearch) fields(path string, was, now *record.Type) {
	gone := make(map[string]*record.Type)
	for _, f := range was.Fields {
		gone[f.Name] = f.Type
	}
	var added []record.Field
	for _, f := range now.Fields {
		names := append([]string{f.Name}, f.Aliases...)
		isNew := true
		for _, name := range names {
			if t, ok := gone[name]; ok && isNew {
				isNew = false
				delete(gone, name)
				w.types(path+"."+f.Name, t, f.Type)
			}
		}
		if isNew && len(f.Aliases) == 0 && !f.HasDefault {
			added = append(added, f)
		}
	}
	for _, f := range added {
		for _, old := range was.Fields {
			if t, ok := gone[old.Name]; ok && same(t, f.Type) {
				delete(gone, old.Name)
				w.found = append(w.found, record.Incompatibility{
					Path: path + "." + f.Name,
					What: fmt.Sprintf("%s is gone and %s, of the same type, is new", old.Name, f.Name),
					Why:  "if the field was renamed, readers lose what the writer has sent",
					Remedy: fmt.Sprintf("the tag rw:\"alias=%s\"; if it is another field, accept the change with rwgen lock, or state a default= in the tag",
						old.Name),
				})
				break
			}
		}
	}
}

// same reports whether two types have the same encoding.
func same(a, b *record.Type) bool {
	text := func(t *record.Type) string {
		return record.NewSchema("S", &record.Type{Kind: record.KindStruct, Fields: []record.Field{{Name: "F", Type: t}}}).Text
	}
	return text(a) == text(b)
}
