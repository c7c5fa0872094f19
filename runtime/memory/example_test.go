package memory_test

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/memory"
)

func Example() {
	p, err := memory.NewPool(48 << 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	large, _ := p.Acquire(32 << 10)
	small, _ := p.Acquire(4 << 10)
	_, ok := p.Acquire(16 << 10)
	fmt.Println(len(large.Bytes()), len(small.Bytes()), ok)
	p.Release(large)
	fmt.Println(p.Stats().Used, p.Close())
	p.Release(small)
	fmt.Println(p.Stats().Used, p.Close())
	// Output:
	// 32768 4096 false
	// 4096 memory: segments in use: 4096 bytes
	// 0 <nil>
}
