// Package rwimpl holds the version window between generated code and the runtime. Only generated code imports it.
//
// Generated code of version g compiles against a runtime whose window is [Oldest, Newest] if Oldest ≤ g ≤ Newest. Every
// generated file states both conditions as constants, so that a mismatch is a compile error at a line whose comment says
// what to do:
//
//	const (
//		_ = rwimpl.Enforce(1 - rwimpl.Oldest) // this file is too old for the runtime: run go generate
//		_ = rwimpl.Enforce(rwimpl.Newest - 1) // the runtime is too old for this file: update it
//	)
package rwimpl
