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

func ExamplePool_NewShare() {
	p, err := memory.NewPool(64 << 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	first, _ := p.NewShare(16<<10, 64<<10, nil)
	fmt.Println("alone:", first.Bytes())
	second, _ := p.NewShare(8<<10, 64<<10, func() { fmt.Println("the other share has grown, or may get memory") })
	fmt.Println("together:", first.Bytes(), second.Bytes())
	_, err = p.NewShare(48<<10, 0, nil)
	fmt.Println(err)
	first.Close()
	fmt.Println("alone:", second.Bytes())
	second.Close()
	fmt.Println(p.Close())
	// Output:
	// alone: 65536
	// together: 36864 28672
	// memory: insufficient memory: 49152 bytes are to be guaranteed, 24576 of 65536 are guaranteed already
	// the other share has grown, or may get memory
	// alone: 65536
	// <nil>
}
