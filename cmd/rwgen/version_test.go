package main

import "testing"

func TestRelease(t *testing.T) {
	tests := []struct{ version, want string }{
		{"v1.2.3", "v1.2.3"},
		{"v0.10.0", "v0.10.0"},
		{"v1.0.0-rc.1", "v1.0.0-rc.1"},
		{"v1.0.0-beta2", "v1.0.0-beta2"},
		{"", "(devel)"},
		{"(devel)", "(devel)"},
		{"v0.0.0", "(devel)"},
		{"v1.2.4-0.20260102030405-0123456789ab", "(devel)"},
		{"v0.0.0-20260102030405-0123456789ab", "(devel)"},
		{"v1.2.3-rc.1.0.20260102030405-0123456789ab", "(devel)"},
		{"v1.2.3+dirty", "(devel)"},
		{"v1.2.3-rc.1+dirty", "(devel)"},
	}
	for _, test := range tests {
		if got := release(test.version); got != test.want {
			t.Errorf("release(%q) = %q, want %q", test.version, got, test.want)
		}
	}
}
