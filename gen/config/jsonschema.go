package config

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// SchemaURL is where the schema of the file is published.
const SchemaURL = "https://raw.githubusercontent.com/rwgen/rwgen/main/gen/config/rwgen.schema.json"

// JSONSchema returns the schema of the file for editors, which is rwgen.schema.json: a JSON Schema of draft 7, the newest that all of them know. What it accepts is more than what
// [Load] does: it says nothing about what depends on several values.
func JSONSchema() []byte {
	root := schemaOf(reflect.TypeFor[document](), "")
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["$id"] = SchemaURL
	root["title"] = Name
	root["description"] = "What rwgen generates, and from what."
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		panic(err) // maps, slices and strings
	}
	return b.Bytes()
}

// schemaOf returns the schema of the values of a type.
func schemaOf(t reflect.Type, doc string) map[string]any {
	s := make(map[string]any)
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), doc)
	case reflect.Struct:
		s["type"] = "object"
		s["additionalProperties"] = false
		properties, required := make(map[string]any), []string{}
		for _, k := range keysOf(t) {
			properties[k.name] = schemaOf(k.typ, k.doc)
			if k.required {
				required = append(required, k.name)
			}
		}
		s["properties"] = properties
		if len(required) > 0 {
			s["required"] = required
		}
	case reflect.Slice:
		s["type"] = "array"
		s["items"] = schemaOf(t.Elem(), "")
	case reflect.Bool:
		s["type"] = "boolean"
	case reflect.Int:
		s["type"] = "integer"
	default:
		s["type"] = "string"
	}
	if c, ok := reflect.Zero(t).Interface().(checker); ok {
		for name, value := range c.schema() {
			s[name] = value
		}
	}
	if doc != "" {
		s["description"] = doc
	}
	return s
}
