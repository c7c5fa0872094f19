// Package config reads rwgen.yaml, which says what a run of the generator is about. Its keys are described in gen/CONFIG.md, and for editors in
// rwgen.schema.json, which is made from the same declarations as the reader.
//
//	c, diags, err := config.Read("rwgen.yaml")
//	// …
//	result, err := gen.Generate(ctx, c.Options)
//
// It is strict: what it does not know, or is not of the right form, is reported with its position, all of it at once.
package config
