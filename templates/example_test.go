package templates_test

import (
	"fmt"
	"strings"

	"github.com/rwgen/rwgen/templates"
)

func ExampleInit() {
	var b strings.Builder
	if err := templates.Init(&b, templates.Start{Package: "flights", Record: "Flight", Command: "go tool rwgen"}); err != nil {
		panic(err)
	}
	first, _, _ := strings.Cut(b.String(), "\n")
	fmt.Println(first)
	// Output: package flights
}
