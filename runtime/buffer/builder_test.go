package buffer_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

// position compares what is published.
func position(t *testing.T, b *buffer.Builder, bytes, records int) {
	t.Helper()
	if gotBytes, gotRecords := b.Position(); gotBytes != bytes || gotRecords != records {
		t.Errorf("%d bytes and %d records are published, want %d and %d", gotBytes, gotRecords, bytes, records)
	}
}

// put commits a record and returns whether somebody has promised to look at it.
func put(t *testing.T, b *buffer.Builder, payload string) bool {
	t.Helper()
	dst, ok := b.Tail()
	if !ok || len(dst) < len(payload) {
		t.Fatalf("no room for %d bytes: %d, %v", len(payload), len(dst), ok)
	}
	n := copy(dst, payload)
	return b.Commit(n) || b.Confirm()
}

func TestZeroBuilder(t *testing.T) {
	var b buffer.Builder
	if dst, ok := b.Tail(); ok || dst != nil {
		t.Errorf("Tail without a block: %d bytes, %v", len(dst), ok)
	}
	if b.Free() != 0 || b.Written() != 0 || b.Block() != nil {
		t.Errorf("%d bytes free, %d written, block %p", b.Free(), b.Written(), b.Block())
	}
	position(t, &b, 0, 0)
	if buf, n, records := b.Finish(); buf != nil || n != 0 || records != 0 {
		t.Errorf("Finish without a block: %p, %d bytes, %d records", buf, n, records)
	}
	if b.Confirm() {
		t.Error("a zero Builder is armed")
	}
}

func TestBuilderFrames(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	block := mustAcquire(t, p.LocalPool, 0, 1<<10)
	var b buffer.Builder
	b.Open(block)
	if b.Block() != block || b.Free() != 1<<10 {
		t.Fatalf("the open block is %p with %d bytes free, want %p with 1024", b.Block(), b.Free(), block)
	}
	records := []string{"a", "", "three", string(make([]byte, 300))}
	var want []byte
	for i, r := range records {
		want = binary.BigEndian.AppendUint32(want, uint32(len(r)))
		want = append(want, r...)
		if put(t, &b, r) {
			t.Errorf("record %d: somebody looks at a Builder that nobody armed", i)
		}
		position(t, &b, len(want), i+1)
		if b.Written() != len(want) || b.Free() != 1<<10-len(want) {
			t.Errorf("%d bytes written, %d free, want %d and %d", b.Written(), b.Free(), len(want), 1<<10-len(want))
		}
	}
	buf, n, count := b.Finish()
	if buf != block || n != len(want) || count != len(records) {
		t.Fatalf("Finish: %p, %d bytes, %d records; want %p, %d, %d", buf, n, count, block, len(want), len(records))
	}
	if !bytes.Equal(buf.Bytes()[:n], want) {
		t.Errorf("the block holds\n%x, want\n%x", buf.Bytes()[:n], want)
	}
	position(t, &b, 0, 0)
	if buf, _, _ := b.Finish(); buf != nil {
		t.Error("the second Finish returned a block")
	}
	b.Open(block)
	position(t, &b, 0, 0)
	b.Finish()
	block.Release()
}

// TestBuilderUncommitted: what was put but not committed is not published, and is overwritten by the next record.
func TestBuilderUncommitted(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	block := mustAcquire(t, p.LocalPool, 0, 1<<10)
	var b buffer.Builder
	b.Open(block)
	put(t, &b, "one")
	dst, _ := b.Tail()
	copy(dst, "given up half-way")
	position(t, &b, 7, 1)
	put(t, &b, "two")
	if got := string(block.Bytes()[:14]); got != "\x00\x00\x00\x03one\x00\x00\x00\x03two" {
		t.Errorf("the block starts with %q", got)
	}
	b.Finish()
	block.Release()
}

// TestBuilderFull: a block can be filled to its last byte, and the length of a frame needs room of its own.
func TestBuilderFull(t *testing.T) {
	for left := range 10 {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
		block := mustAcquire(t, p.LocalPool, 0, 1<<10)
		var b buffer.Builder
		b.Open(block)
		put(t, &b, string(make([]byte, 1<<10-4-left)))
		if b.Free() != left {
			t.Fatalf("%d bytes are free, want %d", b.Free(), left)
		}
		dst, ok := b.Tail()
		if ok != (left >= buffer.FrameHeader) || ok && len(dst) != left-buffer.FrameHeader {
			t.Errorf("with %d bytes free Tail returns %d bytes, %v", left, len(dst), ok)
		}
		if ok {
			put(t, &b, string(make([]byte, len(dst))))
			if b.Free() != 0 {
				t.Errorf("%d bytes are free in a full block", b.Free())
			}
		}
		b.Finish()
		block.Release()
	}
}

// TestBuilderTailIsBounded: a serializer that appends to what Tail returned does not reach the next block.
func TestBuilderTailIsBounded(t *testing.T) {
	p := newLocal(t, 32<<10, buffer.Config{Bytes: 8 << 10, Channels: 1})
	block := mustAcquire(t, p.LocalPool, 0, 1<<10)
	var b buffer.Builder
	b.Open(block)
	if dst, _ := b.Tail(); cap(dst) != len(dst) {
		t.Errorf("Tail returns %d bytes with capacity %d", len(dst), cap(dst))
	}
	b.Finish()
	block.Release()
}

func TestBuilderArming(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	block := mustAcquire(t, p.LocalPool, 0, 1<<10)
	var b buffer.Builder
	b.Open(block)
	armed := func(want bool) {
		t.Helper()
		if got := put(t, &b, "x"); got != want {
			t.Errorf("somebody looks: %v, want %v", got, want)
		}
	}
	armed(false)
	b.Arm(false)
	armed(true)
	armed(true)
	b.Disarm()
	armed(false)
	b.Arm(true)
	armed(true)
	dst, _ := b.Tail()
	if !b.Commit(copy(dst, "x")) {
		t.Error("Commit on a hot lane asks for a fence")
	}
	if b.DisarmCold() {
		t.Error("DisarmCold disarmed a hot lane")
	}
	armed(true)
	b.Arm(false)
	if !b.DisarmCold() {
		t.Error("DisarmCold left a cold lane")
	}
	armed(false)
	if !b.DisarmCold() {
		t.Error("DisarmCold took an unarmed lane for a hot one")
	}
	b.Arm(true)
	b.Disarm()
	armed(false)
	b.Finish()
	block.Release()
}

func TestBuilderAllocatesNothing(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 256 << 10, Channels: 1})
	block := mustAcquire(t, p.LocalPool, 0, memory.MaxBlock)
	var b buffer.Builder
	b.Open(block)
	if n := testing.AllocsPerRun(100, func() { put(t, &b, "record") }); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
	b.Finish()
	block.Release()
}

// TestFixed: frames of a fixed size are those that Tail and Commit make, up to the last byte of a block.
func TestFixed(t *testing.T) {
	const size = 16
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	var a, b buffer.Builder
	a.Open(mustAcquire(t, p.LocalPool, 0, 1<<10))
	b.Open(mustAcquire(t, p.LocalPool, 0, 1<<10))
	if dst, ok := a.Tail(); !ok || a.Commit(copy(dst, make([]byte, 1000-2*buffer.FrameHeader-size))) {
		t.Fatal("no room, or armed")
	}
	if frame := b.Fixed(1000 - 2*buffer.FrameHeader - size); frame == nil || b.CommitFixed(len(frame)-buffer.FrameHeader) {
		t.Fatal("no room, or armed")
	}
	for b.Free() >= buffer.FrameHeader+size {
		frame := b.Fixed(size)
		if len(frame) != buffer.FrameHeader+size || cap(frame) != len(frame) {
			t.Fatalf("a frame of %d bytes, capacity %d", len(frame), cap(frame))
		}
		dst, _ := a.Tail()
		copy(frame[buffer.FrameHeader:], "0123456789abcdef")
		a.Commit(copy(dst, "0123456789abcdef"))
		b.CommitFixed(size)
	}
	if b.Free() >= buffer.FrameHeader+size || b.Fixed(size) != nil {
		t.Errorf("%d bytes are free", b.Free())
	}
	bytesA, recordsA := a.Position()
	position(t, &b, bytesA, recordsA)
	if !bytes.Equal(a.Block().Bytes()[:bytesA], b.Block().Bytes()[:bytesA]) {
		t.Error("the frames differ")
	}
	for _, builder := range []*buffer.Builder{&a, &b} {
		block, _, _ := builder.Finish()
		block.Release()
		if builder.Fixed(0) != nil {
			t.Error("a frame without a block")
		}
	}
}

// TestBatch: records of a batch are counted at once by the writer, and told to the reader by Publish.
func TestBatch(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	var b buffer.Builder
	b.Open(mustAcquire(t, p.LocalPool, 0, 1<<10))
	for round := range 2 {
		for i := range 4 {
			var first bool
			if i%2 == 0 {
				dst, _ := b.Tail()
				first = b.Append(copy(dst, "abc"))
			} else {
				copy(b.Fixed(3)[buffer.FrameHeader:], "def")
				first = b.AppendFixed(3)
			}
			if first != (i == 0) {
				t.Errorf("round %d: record %d is the first of a batch: %v", round, i, first)
			}
		}
		if want := (round + 1) * 4 * 7; b.Written() != want {
			t.Errorf("%d bytes written, want %d", b.Written(), want)
		}
		if b.Publish() {
			t.Error("nobody has promised to look")
		}
		position(t, &b, (round+1)*4*7, (round+1)*4)
	}
	b.Arm(true)
	dst, _ := b.Tail()
	b.Append(copy(dst, "xyz")) // whether the lane has to be touched depends on how it is published
	if !b.Publish() {
		t.Error("the lane is armed hot")
	}
	position(t, &b, 8*7+7, 9)
	block, _, _ := b.Finish()
	block.Release()
}
