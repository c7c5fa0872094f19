package task

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrGraph is returned by [Graph.Check] and [Graph.Run] for a graph that cannot be run; the errors beside it say why.
	ErrGraph = errors.New("task: faulty graph")
	// ErrUsed is returned by a second [Graph.Run].
	ErrUsed = errors.New("task: the graph was run before")
	// ErrStop is returned by the function of a stage that needs no more input although there may be some: it has what it was looking for. The instance ends as if it had returned nil, and the graph goes on; see
	// the package documentation. It is also the cause with which the context of a stage is canceled when nobody needs what it writes. Wrapped, it means the same.
	ErrStop = errors.New("task: stop")
	// ErrUnread is the error of an instance that returned nil although one of its inputs had not ended. One that means it returns [ErrStop].
	ErrUnread = errors.New("task: returned before the end of an input")
	// ErrMixed is the error of Read for an edge that code has read from by [Edge.Reader] too: each would miss what the other has taken.
	ErrMixed = errors.New("task: an edge was read by Read and by its Reader")
	// ErrGoexit is the error of an instance that ended its goroutine by runtime.Goexit, as a test does that fails.
	ErrGoexit = errors.New("task: the goroutine was ended by runtime.Goexit")
)

// StageError is the error of one instance of a stage. It unwraps to Cause.
type StageError struct {
	Stage    string
	Instance int // from 0
	Cause    error
}

func (e *StageError) Error() string {
	return fmt.Sprintf("task: %s: %s", label(e.Stage, e.Instance), strings.TrimPrefix(fmt.Sprint(e.Cause), "task: "))
}

// Unwrap returns the cause.
func (e *StageError) Unwrap() error { return e.Cause }

// PanicError is the cause of a [StageError] of user code that panicked. It unwraps to the value of the panic if that is an error.
type PanicError struct {
	Value any
	Stack []byte // of the goroutine, as of runtime/debug.Stack
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack) }

// Unwrap returns the value of the panic if it is an error, and nil otherwise.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// label is how errors and reports name an instance.
func label(stage string, i int) string { return fmt.Sprintf("%s[%d]", stage, i) }
