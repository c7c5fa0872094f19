package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/config"
	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/templates"
)

// initConfig writes a configuration to start from, with the Go packages and schema files that are there.
func (e *environment) initConfig(f *flags) int {
	found, err := survey(f.dir)
	if err != nil {
		return e.failure(err)
	}
	found.Schema, found.Command, found.Module = config.SchemaURL, "go tool rwgen", moduleRoot(f.dir) != ""
	var b bytes.Buffer
	if err := templates.InitConfig(&b, found); err != nil {
		return e.failure(err)
	}
	file := filepath.Join(f.dir, config.Name)
	if code := e.start(f, file, b.Bytes(), "go on with that"); code != exitOK {
		return code
	}
	fmt.Fprintln(e.stdout, "next:")
	switch {
	case len(found.Groups) == 0 && !found.Packages:
		fmt.Fprintf(e.stdout, "\tname packages or schemas in %s\n", diag.RelPath(f.dir, file))
	case found.Module:
		if !hasTool(filepath.Join(moduleRoot(f.dir), "go.mod")) {
			fmt.Fprintf(e.stdout, "\tgo get -tool %s@latest\n", toolPath)
		}
		fmt.Fprintln(e.stdout, "\tgo tool rwgen")
	default:
		fmt.Fprintln(e.stdout, "\trwgen")
	}
	return exitOK
}

// survey finds the Go files and schema files in a directory and those below it. Hidden directories, vendor, node_modules and testdata are left out.
func survey(dir string) (templates.ConfigStart, error) {
	var s templates.ConfigStart
	schemas := make(map[gen.Language][]string)
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			if d != nil && d.IsDir() && at != dir {
				return fs.SkipDir // what cannot be read is nothing to start from
			}
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if at != dir && (strings.HasPrefix(name, ".") || slices.Contains([]string{"vendor", "node_modules", "testdata"}, name)) {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch path.Ext(name) {
		case ".go":
			s.Packages = true
		case ".avsc", ".avpr":
			schemas[gen.Avro] = append(schemas[gen.Avro], rel)
		case ".proto":
			schemas[gen.Proto] = append(schemas[gen.Proto], rel)
		}
		return nil
	})
	for _, language := range gen.Languages() {
		if files := schemas[language]; len(files) > 0 {
			s.Groups = append(s.Groups, startGroup(language, files))
		}
	}
	return s, err
}

// startGroup returns a group for files of a language.
func startGroup(language gen.Language, files []string) templates.ConfigGroup {
	g := templates.ConfigGroup{Dir: "internal/" + string(language) + "records"}
	g.Path = "example.com/module/" + g.Dir
	if language == gen.Avro {
		g.Format = "avro"
	}
	tops := make(map[string]bool)
	for _, f := range files {
		top, _, below := strings.Cut(f, "/")
		switch pattern := "*" + path.Ext(f); {
		case below:
			g.Files = append(g.Files, top+"/**/"+pattern)
			tops[top] = true
		default:
			g.Files = append(g.Files, pattern)
			tops["."] = true
		}
	}
	slices.Sort(g.Files)
	g.Files = slices.Compact(g.Files)
	if language == gen.Proto {
		for top := range tops {
			g.Roots = append(g.Roots, top)
		}
		slices.Sort(g.Roots)
	}
	return g
}
