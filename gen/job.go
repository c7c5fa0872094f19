package gen

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/gosrc"
	"github.com/rwgen/rwgen/gen/ir"
)

// job is the generation of one file.
type job struct {
	pkg     *ir.Package
	emitter func() *emit.Package // of pkg, planned by the first job that asks
	file    *ir.File
	sound   bool       // the package has no findings; otherwise the job only looks at what stands in the way of the file
	schema  bool       // the source is a schema
	decls   bool       // the file is that of the types
	around  *goPackage // what else is in the directory of a package of a schema, nil for nothing

	out   File // with content if all went well
	diags diag.List
	err   error
}

// runAll runs the jobs on as many goroutines as there are processors; all of them have ended when it returns. The representations
// are only read. It returns the error of the first job, in their order, that has one, or that of ctx.
func runAll(ctx context.Context, jobs []*job, o Options) error {
	options := emit.Options{Version: o.Version, Header: o.Header}
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) || ctx.Err() != nil {
					return
				}
				jobs[i].err = jobs[i].run(options)
				if n := int(done.Add(1)); o.Progress != nil {
					o.Progress(n, len(jobs))
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, j := range jobs {
		if j.err != nil {
			return j.err
		}
	}
	return nil
}

// path returns the absolute path of the file.
func (j *job) path() string {
	if j.decls {
		return filepath.Join(j.pkg.Dir, j.file.DeclOutput)
	}
	return filepath.Join(j.pkg.Dir, j.file.Output)
}

// emit generates the file.
func (j *job) emit(o emit.Options) ([]byte, error) {
	if j.decls {
		return j.emitter().Decls(j.file, o)
	}
	return j.emitter().File(j.file, o)
}

// foreign returns the source of the file on the disk if runs of the other kind, over schemas or over packages, make the file, and would go on doing so in turn with this one.
func (j *job) foreign(old []byte) string {
	source := sourceOf(old)
	if source == "" || isSchemaName(source) == j.schema {
		return ""
	}
	if _, err := os.Stat(filepath.Join(j.pkg.Dir, source)); err != nil && j.schema {
		return "" // its source has gone
	}
	return source
}

// run generates the file, or finds what stands in its way.
func (j *job) run(o emit.Options) error {
	f := File{Path: j.path(), types: j.decls, mkdir: j.schema}
	var err error
	f.Old, err = os.ReadFile(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case isDir(f.Path):
		j.diags.Addf(token.Position{Filename: f.Path}, diag.Output,
			"a directory is in the way of generated code for %s", j.file.Source).
			Hint = "rename it"
		return nil
	case err != nil:
		return err
	case !gosrc.IsOwn(f.Old):
		j.diags.Addf(token.Position{Filename: f.Path}, diag.Output,
			"this file is in the way of generated code for %s: it has no line %q", j.file.Source, ir.Header).
			Hint = "rename it, or remove it if it is damaged output"
		return nil
	}
	if source := j.foreign(f.Old); source != "" {
		j.diags.Addf(token.Position{Filename: f.Path}, diag.Output, "this file would be generated for %s, and is there for %s", j.file.Source, source).
			Hint = "rename one of the sources, or give them different packages; if the other has gone, remove this file"
		return nil
	}
	if !j.sound {
		return nil
	}
	f.Content, err = j.emit(o)
	var diags diag.List
	switch {
	case errors.As(err, &diags):
		j.diags = append(j.diags, diags...)
	case err != nil:
		return fmt.Errorf("generating %s: %w", f.Path, err)
	default:
		j.out = f
		j.redeclared()
	}
	return nil
}

// redeclared reports types, constants and functions of a schema that Go files of the package declare too. What belongs to records is up to the emitter.
func (j *job) redeclared() {
	if !j.decls || j.around == nil || len(j.around.declared) == 0 {
		return
	}
	f := parse(j.out.Path, j.out.Content)
	if f == nil {
		return
	}
	for _, id := range declarations(f) {
		if at, ok := j.around.declared[id.Name]; ok {
			j.diags.Addf(at, diag.Name, "%s is declared here and among the types of %s", id.Name, j.file.Source).
				Hint = "rename it, or give the schema another package"
		}
	}
}
