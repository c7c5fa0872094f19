package main

import (
	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/analysis/passes/unusedwrite"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rwgen/rwgen/cmd/rwgen/internal/lint"
)

func main() {
	unitchecker.Main(nilness.Analyzer, unusedwrite.Analyzer, lint.State())
}
