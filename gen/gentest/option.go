package gentest

// Option changes how [Run] works.
type Option func(*config)

type config struct {
	update bool
	module string
	env    []string
	flags  []string
}

// Update says whether to rewrite what the cases want instead of comparing. The package registers no flag for it, since a test program has one set
// of flags: the caller's test does, under the name of its choice.
func Update(update bool) Option { return func(c *config) { c.update = update } }

// Module sets the import path that the cases without a go.mod are below; default example.com/cases. With a path below that of
// the module under test, cases may import that module's internal packages.
func Module(path string) Option { return func(c *config) { c.module = path } }

// GoTest adds flags to the calls of go test that compile and run the output, such as -race.
func GoTest(flags ...string) Option {
	return func(c *config) { c.flags = append(c.flags, flags...) }
}

// Env adds variables, as NAME=value, to the environment in which the output is compiled and run. With GOARCH=386 it is run as a
// program of 32 bits, if the machine can.
func Env(variables ...string) Option {
	return func(c *config) { c.env = append(c.env, variables...) }
}
