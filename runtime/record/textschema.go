package record

import (
	"crypto/sha256"
	"encoding/binary"
)

// TextSchema returns the schema of this text, with the fingerprint that belongs to it, for texts that come from elsewhere: a file, or another process. Neither text nor reading is checked; [Resolve] does that, where the schema is not the same as
// that of the reader.
func TextSchema(text, reading string) Schema {
	sum := sha256.Sum256([]byte(text))
	return Schema{Text: text, Fingerprint: binary.BigEndian.Uint64(sum[:8]), Reading: reading}
}
