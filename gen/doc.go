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
// over from earlier runs, which is what the command's check verb prints. [Inspect] does the first half of the work only, for what needs the
// records and no files: [Result.Schemas] yields them with their schemas, [Result.Packages] has the representation.
//
//	result, err := gen.Inspect(ctx, gen.Options{Dir: dir})
//	for s := range result.Schemas() {
//		fmt.Println(s.Record.Name, s.Schema.Hex()) // package layout draws s.Record
//	}
//
// Packages lock and layout go on from there. There is no state in this package: its functions may be called from several goroutines at
// the same time, for the same directory too. A [Result] belongs to one goroutine.
package gen
