//go:build !invariants

package gate

// checked says whether it is noticed when a borrowed payload is used for too long.
const checked = false

// loans does nothing: payloads are lent where they lie.
type loans struct{}

func (*loans) lend(p []byte) []byte { return p }

func (*loans) end() {}

func (*loans) hold() loans { return loans{} }

func (*loans) join(loans) {}
