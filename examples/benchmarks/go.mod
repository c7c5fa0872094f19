module github.com/rwgen/rwgen/examples/benchmarks

go 1.26.0

replace github.com/rwgen/rwgen => ../..

tool github.com/rwgen/rwgen/cmd/rwgen

require github.com/rwgen/rwgen v0.0.0

require (
	github.com/dave/jennifer v1.7.1 // indirect
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
