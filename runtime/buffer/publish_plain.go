//go:build linux && amd64 && !race && !purego

package buffer

import (
	"sync"
	"syscall"
	"unsafe"
)

// committed is the least value of the armed word for which a Commit is complete without Confirm.
const committed = hot

// publish stores the cursor with release order and no fence: on amd64 that is an ordinary store, since the processor keeps stores in
// order and the compiler does not reorder a store with other stores or with the atomic load that follows. sync/atomic has no such
// store; its Store is a full fence, which costs more than the rest of Emit together. What the fence would have ordered (this
// store before the load of the armed word) is ordered by the reader's [Barrier] instead, once per burst of records instead of
// once per record.
//
// The race detector, other processors, other systems and the build tag purego use sync/atomic.
//
// So the cursor serves as the writer's own position too, which saves a store of each record. A batch is published record by record: it is the announcing that
// is left to its end.
func (b *Builder) publish(v uint64) { *(*uint64)(unsafe.Pointer(&b.cursor)) = v }

// write stores the position of the writer.
func (b *Builder) write(v uint64) { b.publish(v) }

// shown reports whether nobody has to be told of what write has stored: the lane is hot.
func (b *Builder) shown() bool { return b.armed.Load() >= committed }

// written returns the position of the writer.
func (b *Builder) written() uint64 { return *(*uint64)(unsafe.Pointer(&b.cursor)) }

const (
	sysMembarrier                 = 324
	membarrierPrivateExpedited    = 1 << 3
	membarrierRegisterPrivateExpd = 1 << 4
)

// registered asks the kernel once per process for the right to make barriers.
var registered = sync.OnceValue(func() bool {
	_, _, errno := syscall.Syscall(sysMembarrier, membarrierRegisterPrivateExpd, 0, 0)
	return errno == 0
})

// CanBarrier reports whether [Barrier] works, which is the condition for arming lanes hot. It does not under seccomp profiles that forbid membarrier(2);
// then every record is confirmed with a fence.
func CanBarrier() bool { return registered() }

// Barrier makes every running thread of the process execute a full memory fence: membarrier(2) with PRIVATE_EXPEDITED. REQUIRES: CanBarrier.
func Barrier() {
	if _, _, errno := syscall.Syscall(sysMembarrier, membarrierPrivateExpedited, 0, 0); errno != 0 {
		panic("buffer: membarrier: " + errno.Error()) // impossible after a successful registration
	}
}
