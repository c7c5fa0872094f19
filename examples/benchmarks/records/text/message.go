package text

import (
	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/examples/benchmarks/internal/pb"
)

// The messages of gRPC.
type (
	message  = pb.Text
	messages = pb.Texts
)

func fillMessage(m *message, r *Record) { m.Id, m.Name, m.Note = r.ID, r.Name, r.Note }

// weighMessage is weigh for a message.
func weighMessage(m *message) uint64 { return m.Id + 3*harness.Weigh(m.Name) + 5*harness.Weigh(m.Note) }
