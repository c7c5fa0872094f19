// Package record describes records: the serializer that carries them in the native format, the schema that identifies the
// format of a type, and the limits under which records are read. FORMAT.md in the wire package is the format.
//
// Generated code provides a [Serializer] for each record type. [Reflect] makes one at run time that writes and reads the same
// bytes:
//
//	s, err := record.Reflect[Flight]()
//	if err != nil {
//		return err
//	}
//	buf, err := s.Append(nil, &flight)
//	n, err := s.Consume(buf, &flight)
//
// SERIALIZERS.md in this directory is about serializers without the exchange: files, limits for the bytes of strangers, versions, views. Interfaces and types of others need a word from the caller: [UnionOf] closes an interface, [CodecOf] registers an encoding. Types that declare methods for
// binary data or text are encoded by them; FORMAT.md, section 3, has the rule.
//
// [Resolve] makes of two schemas that differ a [Translation], which turns payloads of the writer's into those of the reader's: FORMAT.md, section 8.
//
// [ParseTag] reads the tags of fields. [ParseSchema] reads the text of a schema back, and [Compare] says what keeps a reader of one schema from reading data of
// another.
//
// Serializers are safe for concurrent use. Bytes that do not hold a record cause errors, never panics, and take no more
// memory than [Limits] allow.
//
// How the reflective serializer works: describe.go makes a model of the type ([Type], which the generator makes from source
// code as well), methods.go finds out which methods a type itself declares, schema.go makes the schema text from the model, compile.go makes a plan of codecs from model and type, and
// the codec files walk over values by that plan. All address arithmetic is in memory.go.
package record
