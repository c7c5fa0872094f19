//go:build !linux || !amd64 || race || purego

package buffer

import "sync/atomic"

// committed is the least value of the armed word for which a Commit is complete without Confirm: publish is a fence already.
const committed = cold

func publish(cursor *atomic.Uint64, v uint64) { cursor.Store(v) }

// CanBarrier reports whether [Barrier] works, which is the condition for arming lanes hot.
func CanBarrier() bool { return true }

// Barrier does nothing: every Commit has made a fence.
func Barrier() {}
