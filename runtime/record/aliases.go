package record

import (
	"fmt"
	"slices"
	"strings"
)

// Alias says that the record had other names before, as alias= behind the directive //rwgen:record does: a reader of it reads what was written under one of them, too. Names are
// those of schema texts, without package; one without type arguments stands for an instance with those that the record has.
//
// [Reflect] fails if the record has no name of its own, if an alias is no name or the record's own, or is there twice.
func Alias(names ...string) ReflectOption {
	return reflectOption(func(all *reflectOptions) { all.aliases = append(all.aliases, names...) })
}

// CheckAliases returns a [TagError] if one of the aliases of a record, see [Type.Aliases], is no name of a record, or there twice.
func CheckAliases(aliases []string) error {
	for i, alias := range aliases {
		p := schemaParser{text: alias}
		if _, err := p.name(); err != nil || p.at < len(alias) || !isIdentifier(origin(alias)) {
			return &TagError{Option: "alias", Reason: fmt.Sprintf("alias %q is no name of a record", alias), Hint: "Name, or Name[string,i64] for an instance, as in the schema; several are separated by |"}
		}
		if slices.Contains(aliases[:i], alias) {
			return &TagError{Option: "alias", Reason: "alias " + alias + " twice", Hint: "keep one of them"}
		}
	}
	return nil
}

// origin returns the name of a type without its arguments.
func origin(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// HadName reports whether name, as in a schema text, is one of the aliases of the record t. An alias without type arguments is one with those of t.
func (t *Type) HadName(name string) bool {
	own := t.InstanceName()
	args := own[len(origin(own)):]
	return slices.ContainsFunc(t.Aliases, func(alias string) bool {
		return alias == name || origin(alias) == alias && alias+args == name
	})
}
