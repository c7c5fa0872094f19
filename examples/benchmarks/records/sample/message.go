package sample

import "github.com/rwgen/rwgen/examples/benchmarks/internal/pb"

// The messages of gRPC.
type (
	message  = pb.Sample
	messages = pb.Samples
)

func fillMessage(m *message, r *Record) { m.Id, m.Value = r.ID, r.Value }

// weighMessage is weigh for a message.
func weighMessage(m *message) uint64 { return m.Id + 3*uint64(m.Value) }
