package buffer_test

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

func Example() {
	pool, err := memory.NewPool(1 << 20)
	if err != nil {
		fmt.Println(err)
		return
	}
	local, err := buffer.NewLocalPool(pool, buffer.Config{Bytes: 64 << 10, Channels: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	block, _ := local.TryAcquire(0, 1<<10)
	var b buffer.Builder
	b.Open(block)
	for _, record := range []string{"one", "two"} {
		dst, _ := b.Tail()
		if n := copy(dst, record); !b.Commit(n) && !b.Confirm() {
			fmt.Println("nobody looks at", record)
		}
	}
	fmt.Println(b.Position())
	block, n, records := b.Finish()
	fmt.Printf("%d records: %q\n", records, block.Bytes()[:n])
	block.Release()
	fmt.Println(local.Usage().Used, pool.Close())
	// Output:
	// nobody looks at one
	// nobody looks at two
	// 14 2
	// 2 records: "\x00\x00\x00\x03one\x00\x00\x00\x03two"
	// 0 <nil>
}
