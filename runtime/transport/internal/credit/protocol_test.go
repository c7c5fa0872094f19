package credit

import (
	"flag"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

// exploreMore is set by .ci/long.
var exploreMore = flag.Int("explore", 0, "explore the protocol with so many more cuts of the connection, and streams that are so much longer")

// TestProtocol explores PROTOCOL.md with the code of this package: all orders in which messages are sent, arrive and are read, cuts in every state and after every prefix of what is under way. In each state the client has
// a prefix of each stream, nothing twice; its memory is within the bounds; acknowledgements and limits only grow. From each state everything that is not a cut leads to the end.
func TestProtocol(t *testing.T) {
	const k = memory.MinBlock
	for _, tt := range []struct {
		name string
		cuts int
		c    Config
		sc   scenario
	}{
		{"records, one block", 2, Config{Total: k, Exclusive: k}, scenario{streams: [][]step{streamOf("dddd")}}},
		{"records, floating blocks", 1, Config{Total: 3 * k, Exclusive: k}, scenario{streams: [][]step{streamOf("ddddd")}}},
		{"records and events", 2, Config{Total: 2 * k, Exclusive: k}, scenario{streams: [][]step{streamOf("deddef")}}},
		{"the largest event after a small one", 2, Config{Total: k, Exclusive: k}, scenario{streams: [][]step{streamOf("eLdLe")}}},
		{"events of more than half of the window", 2, Config{Total: k, Exclusive: k}, scenario{streams: [][]step{streamOf("HHedH")}}},
		{"the end of data without room", 2, Config{Total: k, Exclusive: k}, scenario{streams: [][]step{streamOf("dLf")}}},
		{"nothing but the end", 4, Config{Total: k, Exclusive: k}, scenario{streams: [][]step{streamOf("")}, leaves: true, late: true}},
		{"a server that leaves", 2, Config{Total: k, Exclusive: k}, scenario{streams: [][]step{streamOf("dde")}, leaves: true}},
		{"what arrives late", 2, Config{Total: k, Exclusive: k}, scenario{streams: [][]step{streamOf("dded")}, late: true, leaves: true}},
		{"canceled", 2, Config{Total: 2 * k, Exclusive: k}, scenario{streams: [][]step{streamOf("dded")}, cancels: true, leaves: true}},
		{"two channels", 0, Config{Total: 3 * k, Exclusive: k}, scenario{streams: [][]step{streamOf("dddd"), streamOf("")}}},
		{"two channels, cut", 1, Config{Total: 2 * k, Exclusive: k}, scenario{streams: [][]step{streamOf("d"), streamOf("d")}}},
		{"two channels, one canceled", 0, Config{Total: 2 * k, Exclusive: k}, scenario{streams: [][]step{streamOf("d"), streamOf("")}, cancels: true, leaves: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i, stream := range tt.sc.streams {
				tt.sc.streams[i] = append(streamOf(strings.Repeat("d", *exploreMore))[:*exploreMore], stream...)
			}
			start := newSystem(tt.cuts+*exploreMore, tt.c, tt.sc)
			t.Logf("%d states", explore(t, tt.name, start, maxStates<<(4*min(*exploreMore, 2))))
		})
	}
}
