package partition

import (
	"fmt"
	"time"
)

// FlushPolicy says when records that stand in an open block become readable. Blocks that are full always are. The zero value is
// [WhenIdle] with 100 ms.
type FlushPolicy struct {
	kind  policyKind
	after time.Duration
}

type policyKind uint8

const (
	whenIdle policyKind = iota
	onFull
	everyRecord
	after
)

const defaultAfter = 100 * time.Millisecond

// OnFull makes records readable when their block is full, at Flush and Close, and before the writer blocks; a reader that comes later finds
// what there is.
func OnFull() FlushPolicy { return FlushPolicy{kind: onFull} }

// EveryRecord makes each record readable at once.
func EveryRecord() FlushPolicy { return FlushPolicy{kind: everyRecord} }

// After makes a channel's records readable when the first of them has waited for d. It panics if d is not positive.
func After(d time.Duration) FlushPolicy {
	if d <= 0 {
		panic(fmt.Sprintf("partition: flush after %v", d))
	}
	return FlushPolicy{kind: after, after: d}
}

// WhenIdle makes a channel's records readable as soon as its reader has nothing else to do, and when the first of them has waited for d although the
// reader is busy with other channels. It panics if d is not positive.
func WhenIdle(d time.Duration) FlushPolicy {
	if d <= 0 {
		panic(fmt.Sprintf("partition: flush when idle or after %v", d))
	}
	return FlushPolicy{kind: whenIdle, after: d}
}

// Delay returns the time after which a record becomes readable at the latest while its reader reads; 0 for policies without one.
func (p FlushPolicy) Delay() time.Duration {
	if p.kind == whenIdle && p.after == 0 {
		return defaultAfter
	}
	return p.after
}

// marked reports whether readers are told of marks, and then find out of later ones by themselves.
func (p FlushPolicy) marked() bool { return p.kind == whenIdle || p.kind == after }

// String returns the policy as in the constructor's name.
func (p FlushPolicy) String() string {
	switch p.kind {
	case onFull:
		return "on full"
	case everyRecord:
		return "every record"
	case after:
		return fmt.Sprintf("after %v", p.after)
	default:
		return fmt.Sprintf("when idle or after %v", p.Delay())
	}
}
