// Package gen is the generator as a library: it reads Go packages and returns the files that rwgen would write.
//
//	result, err := gen.Generate(ctx, gen.Options{Dir: dir, Patterns: []string{"./..."}})
//	if err != nil {
//		return err // the options are wrong, or the go command or the file system failed
//	}
//	if len(result.Diagnostics) > 0 {
//		result.Diagnostics.Write(os.Stderr, dir)
//		return errors.New("no files generated")
//	}
//	_, err = result.Write()
//
// [Generate] works in memory; only [Result.Write] touches the disk. [Result.Changes] says what would be written and what is left
// over from earlier runs, which is what the command's check verb prints.
//
// Functions of this package may be called from several goroutines at the same time. A [Result] belongs to one goroutine.
package gen
