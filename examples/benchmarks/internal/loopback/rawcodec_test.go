package loopback

import (
	"testing"

	"google.golang.org/grpc/mem"
)

// TestRawCodecGivesBlocksBack shows that a block is sent as it is, is taken again when gRPC has released it and not before, and is received into
// memory of the receiver.
func TestRawCodecGivesBlocksBack(t *testing.T) {
	codec := &rawCodec{newBlockPool(1, 4<<10)}
	block := append(codec.blocks.take(), "some records"...)
	message, err := codec.Marshal(&block)
	if err != nil || message.Len() != len(block) {
		t.Fatalf("%d bytes, %v; want %d", message.Len(), err, len(block))
	}
	other := codec.blocks.take()
	if &other[:1][0] == &block[0] {
		t.Fatal("taken again while it is being sent")
	}
	received := make([]byte, 3, 100)
	if err := codec.Unmarshal(message, &received); err != nil || string(received) != "some records" {
		t.Fatalf("received %q, %v", received, err)
	}
	message.Free()
	if again := codec.blocks.take(); &again[:1][0] != &block[0] || len(again) != 0 {
		t.Error("not taken again after it was sent")
	}
	if string(received) != "some records" {
		t.Errorf("received %q after the block was taken again", received)
	}
}

func TestRawCodecRefusesOtherTypes(t *testing.T) {
	codec := &rawCodec{newBlockPool(1, 16)}
	if _, err := codec.Marshal("text"); err == nil {
		t.Error("marshalled a string")
	}
	if err := codec.Unmarshal(mem.BufferSlice{}, "text"); err == nil {
		t.Error("unmarshalled into a string")
	}
}
