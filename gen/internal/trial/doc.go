// Package trial compiles, vets and runs generated code in modules made for the purpose.
//
// [Enclosing] finds the module that a test belongs to; [Host.WriteModule] makes one elsewhere that can import the same packages. [Checks] adds to every package of such
// a module a file that registers the package's serializers, and [Test] runs the go command over all of it:
//
//	host, err := trial.Enclosing(ctx, ".")
//	err = host.WriteModule(ctx, dir, "example.com/cases")
//	… sources and generated code below dir …
//	err = trial.Checks(dir, "example.com/cases")
//	failures, err := trial.Test(ctx, dir, nil)
//
// Nothing is downloaded: what the enclosing module was built with is enough.
package trial
