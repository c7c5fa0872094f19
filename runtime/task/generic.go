package task

import (
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/writer"
)

// WriterOf returns the constructor of a generic writer, for [Connect] without generated code. Records go to the channels in turn unless an option sets a selector.
func WriterOf[T any](ser record.Serializer[T]) func(writer.Output, ...writer.Option) (*writer.Writer[T], error) {
	return func(out writer.Output, opts ...writer.Option) (*writer.Writer[T], error) {
		return writer.New(out, ser, opts...)
	}
}

// ReaderOf returns the constructor of a generic reader, for [Connect] without generated code.
func ReaderOf[T any](ser record.Serializer[T]) func(*gate.Gate, ...gate.Option) (*gate.Reader[T], error) {
	return func(g *gate.Gate, opts ...gate.Option) (*gate.Reader[T], error) {
		return gate.NewReader(g, ser, opts...)
	}
}
