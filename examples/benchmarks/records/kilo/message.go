package kilo

import (
	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/examples/benchmarks/internal/pb"
)

// The messages of gRPC.
type (
	message  = pb.Kilo
	messages = pb.Kilos
)

// fillMessage lets the message share the payload, which does not change.
func fillMessage(m *message, r *Record) { m.Id, m.Payload = r.ID, r.Payload[:] }

// weighMessage is weigh for a message.
func weighMessage(m *message) uint64 { return m.Id + 3*harness.Weigh(m.Payload) }
