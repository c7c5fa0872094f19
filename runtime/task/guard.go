package task

import "runtime/debug"

// guard calls f, which runs code of the user, and makes a panic of it an error.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// inTurn calls all steps, also when one of them panics or ends its goroutine, which failed is told before the next.
func inTurn(failed func(error), steps ...func()) {
	if len(steps) == 0 {
		return
	}
	err := ErrGoexit
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
		if err != nil {
			failed(err)
		}
		inTurn(failed, steps[1:]...)
	}()
	steps[0]()
	err = nil
}
