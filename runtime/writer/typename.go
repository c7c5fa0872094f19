package writer

import "reflect"

// typeName returns the Go name of T for errors.
func typeName[T any]() string {
	t := reflect.TypeFor[T]()
	if t.Name() != "" {
		return t.Name()
	}
	return t.String()
}
