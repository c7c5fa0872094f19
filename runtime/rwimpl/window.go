package rwimpl

// Oldest and Newest bound the versions of generated code that this runtime works with.
const (
	// Oldest is the oldest version of generated code that still compiles and runs against this runtime. It is raised when
	// the runtime drops something that older generated code calls.
	Oldest = 1
	// Newest is the version that this release's generator writes. It is raised when generated code calls something that
	// earlier runtimes do not have.
	Newest = 1
)

// Enforce makes the compiler check that a constant is not negative: converting a negative constant to an unsigned type
// does not compile. It has no use at run time.
type Enforce uint
