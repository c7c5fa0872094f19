package gate

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// translations are how the records of the channels become those of the reader's schema.
//
// The chunks of a channel that has one are kept in Core.foreign rather than Core.rest, so that Frame and Fixed, which know nothing of it, find nothing; Fill, TryFill and More cut and translate.
type translations struct {
	schema   record.Schema
	opts     []record.ResolveOption
	known    []known
	channels []*record.Translation // by view; nil: none is needed, or it is not known yet
	resolved []bool                // by view
	scratch  []byte                // of the record that was returned last
	charged  int64                 // for scratch
}

// known is a writer's schema that was resolved.
type known struct {
	schema      record.Schema
	translation *record.Translation
}

// keptScratch is the size up to which a reader keeps the memory for translated records from one record to the next, in bytes.
const keptScratch = 64 << 10

func newTranslations(spec Spec, o *options, n int) translations {
	t := translations{schema: spec.Schema, channels: make([]*record.Translation, n), resolved: make([]bool, n)}
	if o.known {
		t.opts = []record.ResolveOption{record.RefuseUnknown()}
	}
	return t
}

// resolve finds out how the records of a channel are read, when its first bytes are there: its writer is known then. Without a contract nobody knows what schemas are.
func (c *Core) resolve(v *partition.View) error {
	t := &c.translations
	t.resolved[v.Index] = true
	w, ok := v.Schema()
	if !ok || c.gate.contract == nil || w.Same(t.schema) {
		return nil
	}
	for _, k := range t.known {
		if k.schema.Same(w) {
			t.channels[v.Index] = k.translation
			return nil
		}
	}
	translation, err := record.Resolve(w, t.schema, t.opts...)
	if err != nil {
		who := fmt.Sprintf("the writer of producer %d", v.Producer())
		return fmt.Errorf("gate: %w", partition.SchemaError(who, w, "the reader of "+c.gate.name, t.schema, err))
	}
	t.known = append(t.known, known{w, translation})
	t.channels[v.Index] = translation
	return nil
}

// arrived makes data the bytes that are read next.
func (c *Core) arrived(v *partition.View, data []byte) {
	if !c.translations.resolved[v.Index] && len(data) > 0 {
		if err := c.resolve(v); err != nil {
			v.Unread(len(data))
			_ = c.fail(err)
			return
		}
	}
	if c.translations.channels[v.Index] != nil {
		c.foreign = data
		return
	}
	c.rest = data
}

// unread returns how many bytes of the current chunk are left.
func (c *Core) unread() int { return len(c.rest) + len(c.foreign) }

// cut returns the next frame of the current chunk like assemble, as the writer has written it.
func (c *Core) cut() ([]byte, bool, error) {
	if len(c.foreign) == 0 {
		return c.assemble()
	}
	c.rest, c.foreign = c.foreign, nil
	p, ok, err := c.assemble()
	c.rest, c.foreign = nil, c.rest
	return p, ok, err
}

// translated returns what was cut from the current channel in the reader's schema. It is valid until the next one.
func (c *Core) translated(p []byte) ([]byte, error) {
	t := &c.translations
	translation := t.channels[c.view.Index]
	if translation == nil {
		return p, nil
	}
	for {
		n, consumed, err := translation.Put(t.scratch, p, c.limits)
		switch {
		case err == nil && consumed == len(p):
			return t.scratch[:n:n], nil
		case err == nil:
			err = leftOver(consumed)
		case err == wire.ErrShort:
			if err = c.moreScratch(len(p)); err == nil {
				continue
			}
			err = &AssemblyError{
				Producer: c.view.Producer(), Channel: c.view.Channel(), Record: c.records[c.view.Index] + c.frames - 1, Size: len(p), Arrived: len(p), Cause: err,
			}
		}
		c.frames--
		return nil, err
	}
}

// moreScratch makes room for a record that has n bytes in the writer's schema and more in the reader's than there is room for. It is charged like the memory for records that arrive in pieces, unless it is
// so little that every reader may have it.
func (c *Core) moreScratch(n int) error {
	t := &c.translations
	size := record.TranslationRoom(len(t.scratch), n, c.limits)
	c.dropScratch()
	if room := c.gate.room; room != nil && size > spareBytes {
		charge := (int64(size) + roomUnit - 1) &^ (roomUnit - 1)
		if err := room.Take(charge); err != nil {
			return err
		}
		t.charged = charge
	}
	t.scratch = make([]byte, size)
	return nil
}

func (c *Core) dropScratch() {
	c.give(c.translations.charged)
	c.translations.charged, c.translations.scratch = 0, nil
}
