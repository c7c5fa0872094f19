package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// schemaFlags are the flags about schema files: one group of a configuration.
type schemaFlags struct {
	files     []string
	language  string
	roots     []string
	format    string
	places    []schema.Package
	records   []schema.Record
	stdinName string
}

// schemaFlagNames are the flags about schema files.
func schemaFlagNames() []string {
	return []string{"schema", "language", "root", "format", "namespace", "dir", "path", "package", "record", "stdin-name"}
}

// addSchemaFlag takes a flag about schemas, in the order of the command line.
func (f *flags) addSchemaFlag(name, value string) error {
	s := &f.schemas
	f.given = append(f.given, "-"+name, value)
	if value == "" && name != "namespace" {
		return fmt.Errorf("is empty")
	}
	switch name {
	case "schema":
		s.files = append(s.files, value)
		if err := gen.CheckPattern(value); err != nil {
			return err
		}
	case "language":
		names := make(map[string]string)
		for _, l := range gen.Languages() {
			names[string(l)] = string(l)
		}
		return oneOf(value, names, &s.language)
	case "root":
		s.roots = append(s.roots, value)
	case "format":
		names := make(map[string]string)
		for _, n := range ir.Formats() {
			names[n] = n
		}
		return oneOf(value, names, &s.format)
	case "namespace":
		namespace, subspaces := gen.ParseNamespace(value)
		for _, p := range s.places {
			if p.Namespace == namespace && p.Subspaces == subspaces {
				return fmt.Errorf("it has a package already; -dir, -path and -package are about the namespace before them, and about all if there is none")
			}
		}
		s.places = append(s.places, schema.Package{Namespace: namespace, Subspaces: subspaces})
	case "dir":
		s.place().Dir = value
	case "path":
		s.place().Path = value
	case "package":
		s.place().Name = value
	case "record":
		return s.addRecord(value)
	case "stdin-name":
		s.stdinName = value
	}
	return nil
}

// place returns the place that the last -namespace began, or the one for all.
func (s *schemaFlags) place() *schema.Package {
	if len(s.places) == 0 {
		s.places = append(s.places, schema.Package{Subspaces: true})
	}
	return &s.places[len(s.places)-1]
}

// addRecord takes a flag -record: "org.usgs.Quake with=equal,clone format=avro single-object".
func (s *schemaFlags) addRecord(text string) error {
	words := strings.Fields(text)
	if len(words) == 0 {
		return fmt.Errorf("is empty")
	}
	r := schema.Record{Name: words[0]}
	if slices.ContainsFunc(s.records, func(other schema.Record) bool { return other.Name == r.Name }) {
		return fmt.Errorf("record %s is there twice", r.Name)
	}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		switch {
		case w == "single-object":
			r.SingleObject = true
		case key == "format":
			format, ok := ir.ParseFormat(value)
			if !ok {
				return fmt.Errorf("the format %q is none of %s", value, strings.Join(ir.Formats(), ", "))
			}
			r.Format = &format
		case key == "with":
			for _, name := range strings.Split(value, ",") {
				with, ok := ir.ParseWith(name)
				if !ok {
					return fmt.Errorf("with=: %q is none of %s", name, strings.Join(ir.Withs(), ", "))
				}
				r.With |= with
			}
		default:
			return fmt.Errorf("%q is none of with=, format= and single-object", w)
		}
	}
	s.records = append(s.records, r)
	return nil
}

// splitWriters tells what is about Go packages from what is about schemas. It takes the writers of records of schemas, "org.usgs.Quake.ByPlace key=Place", out of those of the command line, and gives the format to packages if there are no schemas. With schemas and packages, these are the
// writers of records that -record names. It returns what is wrong.
func (f *flags) splitWriters() (problem string) {
	s := &f.schemas
	if len(s.files) == 0 {
		// Without schemas, -format is about the types of -type.
		format := s.format != "" && len(f.types) == 0
		if len(s.places)+len(s.records)+len(s.roots) > 0 || s.language != "" || format || s.stdinName != "" {
			return "-" + strings.Join(slices.DeleteFunc(schemaFlagNames(), func(n string) bool { return n == "schema" }), ", -") + " are about schemas: name some with -schema"
		}
		return ""
	}
	var rest []string
	for _, text := range f.writers {
		name, selection, ok := strings.Cut(strings.TrimSpace(text), " ")
		dot := strings.LastIndexByte(name, '.')
		if !ok || dot < 1 {
			return fmt.Sprintf("-writer %q: the form is 'Record.Name key=Field'", text)
		}
		record, writer := name[:dot], name[dot+1:]+" "+strings.TrimSpace(selection)
		i := slices.IndexFunc(s.records, func(r schema.Record) bool { return r.Name == record })
		switch {
		case i >= 0:
			s.records[i].Writers = append(s.records[i].Writers, writer)
		case len(f.patterns) > 0:
			rest = append(rest, text)
		default:
			s.records = append(s.records, schema.Record{Name: record, Writers: []string{writer}})
		}
	}
	f.writers = rest
	return ""
}

// group returns the group that the flags describe.
func (s *schemaFlags) group() gen.Schemas {
	return gen.Schemas{
		Files: s.files, Language: gen.Language(s.language), Roots: s.roots, Packages: s.places, Records: s.records, Format: s.format,
	}
}
