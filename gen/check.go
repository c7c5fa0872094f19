package gen

import (
	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/gosrc"
)

// CheckHeader returns an error that says what is wrong with a text for [Options].Header, if anything is.
func CheckHeader(text string) error { return emit.CheckHeader(text) }

// CheckType returns an error that says what is wrong with one of [Options].Types, if its form is.
func CheckType(name string) error { return gosrc.CheckType(name) }

// CheckWriter returns an error that says what is wrong with one of [Options].Writers, if its form is.
func CheckWriter(text string) error { return gosrc.CheckWriter(text) }
