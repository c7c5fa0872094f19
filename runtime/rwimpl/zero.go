package rwimpl

// Zero returns the zero value of the type that its argument points to, which it does not look at. Generated code uses it to mention a
// field, in code that never runs, without knowing its type and without copying it.
func Zero[T any](*T) (zero T) { return zero }
