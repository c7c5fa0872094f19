// Package unified prints the difference between two texts as a unified diff, as diff -u, git and patch have it.
//
//	fmt.Print(unified.Diff("a/x.go", "b/x.go", old, fresh))
//
// Its functions are pure, and may be called from several goroutines at the same time.
package unified
