package partition

import (
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/record"
)

// Contract is what all writers and readers of an exchange agree on: the schema of its records. The first one that joins
// sets it. A nil *Contract accepts everything. It may be used from any goroutine.
type Contract struct {
	mu     sync.Mutex
	set    bool
	schema record.Schema
	first  string
}

// Join checks a schema against those that joined before; who names the writer or reader in errors. It fails with [ErrSchema] and both texts.
func (c *Contract) Join(who string, s record.Schema) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.set {
		c.set, c.schema, c.first = true, s, who
		return nil
	}
	if c.schema.Fingerprint != s.Fingerprint || c.schema.Text != s.Text {
		return fmt.Errorf("%w: %s has\n\t%s\n%s has\n\t%s", ErrSchema, who, s.Text, c.first, c.schema.Text)
	}
	return nil
}
