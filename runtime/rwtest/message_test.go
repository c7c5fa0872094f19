package rwtest_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/rwtest"
)

// body is for messages of 4 bytes length, 1 byte type, and a body.
func body(header []byte) int { return int(binary.BigEndian.Uint32(header)) }

func message(kind byte, text string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(text)))) + string(kind) + text
}

// TestOnMessage: the hook sees each message once, however it was written, and cuts at any byte of one.
func TestOnMessage(t *testing.T) {
	stream := message('a', "one") + message('b', "") + message('c', "three") + message('d', "x")
	start := len(message('a', "one") + message('b', ""))
	length := len(message('c', "three"))
	for piece := 1; piece <= len(stream); piece++ {
		for cut := rwtest.Pass; cut <= length; cut++ {
			inWorld(t, func(w *world) {
				var seen []string
				w.link.From("client").OnMessage(5, body, func(m rwtest.Message) int {
					seen = append(seen, fmt.Sprintf("%s-%s %d.%d at %d: %c %d", m.From, m.To, m.Conn, m.Number, m.Start, m.Header[4], m.Body))
					if m.Header[4] == 'c' {
						return cut
					}
					return rwtest.Pass
				})
				c, s := w.open()
				w.write(s, "not cut into messages")
				want := []string{"client-server 0.0 at 0: a 3", "client-server 0.1 at 8: b 0", "client-server 0.2 at 13: c 5", "client-server 0.3 at 23: d 1"}
				for rest := stream; rest != ""; rest = rest[min(piece, len(rest)):] {
					if _, err := io.WriteString(c, rest[:min(piece, len(rest))]); err != nil {
						w.fails(errReset)(0, err)
						if !slices.Equal(seen, want[:3]) {
							t.Errorf("seen %q", seen)
						}
						break
					}
				}
				if cut == rwtest.Pass {
					w.read(s, stream)
					if !slices.Equal(seen, want) {
						t.Errorf("seen %q", seen)
					}
					return
				}
				// What was sent before the header was complete cannot be held back.
				sent := (start + 4) / piece * piece
				w.readEnd(s, stream[:max(start+cut, sent)], errReset)
			})
		}
	}
}

// TestOnMessageActs: the hook may use the network, and may be replaced.
func TestOnMessageActs(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		d, e := w.open()
		w.link.OnMessage(5, body, func(m rwtest.Message) int {
			switch m.Header[4] {
			case 'd':
				w.link.Drop()
			case 'c':
				d.Cut()
			case 'n':
				w.link.OnMessage(5, body, nil)
			}
			return rwtest.Pass
		})
		w.write(c, message('c', "cut the other"))
		w.readEnd(e, "", errReset)
		w.read(s, message('c', "cut the other"))
		w.write(c, message('d', "dropped"))
		w.waits(func() { w.read(s, message('d', "dropped")) }, w.link.Heal)
		w.write(c, message('n', "no more"))
		w.write(c, message('d', "not dropped"))
		w.read(s, message('n', "no more")+message('d', "not dropped"))
		defer func() {
			if recover() == nil {
				t.Error("messages without a header did not panic")
			}
		}()
		w.link.OnMessage(0, body, func(rwtest.Message) int { return rwtest.Pass })
	})
}
