//go:build linux && !race

package memory

import "syscall"

// wantHuge asks for huge pages where the system leaves that to its users: the open blocks of a thousand channels lie in more pages of 4 KiB than a processor knows the addresses of. A system without them says no, which is no harm.
func wantHuge(slab []byte) { _ = syscall.Madvise(slab, syscall.MADV_HUGEPAGE) }
