package partition

import (
	"fmt"
	"slices"
	"sync"

	"github.com/rwgen/rwgen/runtime/record"
)

// Contract is what all writers and readers of an exchange agree on: every reader can read what every writer writes. Their schemas need not be the same ([record.Resolve]); writers may differ from writers, and
// readers from readers. A nil *Contract accepts everything. It may be used from any goroutine.
type Contract struct {
	mu      sync.Mutex
	writers []party
	readers []party
}

// party is the first who joined with a schema.
type party struct {
	who    string
	schema record.Schema
	opts   []record.ResolveOption // of a reader
}

// JoinWriter adds the schema of a writer; who names it in errors. If a reader that joined before cannot read it, it fails with [ErrSchema] and a [record.ResolveError], or what else is wrong with one of the schemas.
func (c *Contract) JoinWriter(who string, s record.Schema) error {
	if c == nil {
		return nil
	}
	w := party{who: who, schema: s}
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.ContainsFunc(c.writers, func(p party) bool { return p.schema.Same(s) }) {
		return nil
	}
	for _, r := range c.readers {
		if err := fit(w, r); err != nil {
			return err
		}
	}
	c.writers = append(c.writers, w)
	return nil
}

// JoinReader adds the schema of a reader that resolves those of writers with opts. It fails like JoinWriter, if the reader cannot read what a writer that joined before writes.
func (c *Contract) JoinReader(who string, s record.Schema, opts ...record.ResolveOption) error {
	if c == nil {
		return nil
	}
	r := party{who, s, opts}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.writers {
		if err := fit(w, r); err != nil {
			return err
		}
	}
	// Readers of one schema may differ in their options. There are as many readers as there are gates, so those without options are enough to be told apart.
	if len(opts) > 0 || !slices.ContainsFunc(c.readers, func(p party) bool { return len(p.opts) == 0 && p.schema == s }) {
		c.readers = append(c.readers, r)
	}
	return nil
}

// fit checks that a reader can read what a writer writes.
func fit(w, r party) error {
	if _, err := record.Resolve(w.schema, r.schema, r.opts...); err != nil {
		return SchemaError(w.who, w.schema, r.who, r.schema, err)
	}
	return nil
}

// SchemaError returns the error of a reader, named by its own and by its schema, that cannot read what a writer writes because of cause. It is [ErrSchema] and cause.
func SchemaError(writer string, w record.Schema, reader string, r record.Schema, cause error) error {
	return fmt.Errorf("%w: %s has\n\t%s\n%s has\n\t%s\n%w", ErrSchema, writer, w.Text, reader, r.Text, cause)
}
