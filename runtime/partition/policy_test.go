package partition_test

import (
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/partition"
)

func TestFlushPolicy(t *testing.T) {
	for _, tt := range []struct {
		policy partition.FlushPolicy
		delay  time.Duration
		text   string
	}{
		{partition.FlushPolicy{}, 100 * time.Millisecond, "when idle or after 100ms"},
		{partition.WhenIdle(time.Second), time.Second, "when idle or after 1s"},
		{partition.After(3 * time.Millisecond), 3 * time.Millisecond, "after 3ms"},
		{partition.EveryRecord(), 0, "every record"},
		{partition.OnFull(), 0, "on full"},
	} {
		if got := tt.policy.Delay(); got != tt.delay {
			t.Errorf("%v: delay %v, want %v", tt.policy, got, tt.delay)
		}
		if got := tt.policy.String(); got != tt.text {
			t.Errorf("%q, want %q", got, tt.text)
		}
	}
	for name, f := range map[string]func(time.Duration) partition.FlushPolicy{"After": partition.After, "WhenIdle": partition.WhenIdle} {
		for _, d := range []time.Duration{0, -1} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s(%v) does not panic", name, d)
					}
				}()
				f(d)
			}()
		}
	}
}
