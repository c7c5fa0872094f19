package templates

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/template"
	"text/template/parse"
)

// ErrLimit is behind the errors of templates that write more than [MaxOutput] bytes or take more than [MaxSteps] steps.
var ErrLimit = errors.New("templates: limit exceeded")

// What one output may take.
const (
	MaxOutput = 16 << 20 // bytes, also of a single string within a template
	MaxSteps  = 1 << 20  // turns of loops and calls of templates
)

// buffer holds what a template writes.
type buffer struct {
	bytes.Buffer
	ctx context.Context
}

// Write implements [io.Writer]. Its error ends the execution.
func (b *buffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > MaxOutput {
		return 0, fmt.Errorf("more than %d bytes of output: %w", MaxOutput, ErrLimit)
	}
	if err := b.ctx.Err(); err != nil {
		return 0, context.Cause(b.ctx)
	}
	return b.Buffer.Write(p)
}

// stepName is the function that counts steps. Nobody calls it by chance.
const stepName = "rwgenStep"

// countSteps puts a call of the counting function at the beginning of a template and of each loop in it.
func countSteps(tree *parse.Tree) {
	if tree.Root == nil {
		return
	}
	var loops func(n parse.Node)
	list := func(l *parse.ListNode) {
		if l != nil {
			for _, n := range l.Nodes {
				loops(n)
			}
		}
	}
	loops = func(n parse.Node) {
		switch n := n.(type) {
		case *parse.RangeNode:
			list(n.List)
			list(n.ElseList)
			n.List.Nodes = append([]parse.Node{step(tree, n)}, n.List.Nodes...)
		case *parse.IfNode:
			list(n.List)
			list(n.ElseList)
		case *parse.WithNode:
			list(n.List)
			list(n.ElseList)
		}
	}
	list(tree.Root)
	tree.Root.Nodes = append([]parse.Node{step(tree, tree.Root)}, tree.Root.Nodes...)
}

// step returns a call of the counting function that knows where n stands.
func step(tree *parse.Tree, n parse.Node) parse.Node {
	at, _ := tree.ErrorContext(n)
	text := fmt.Sprintf("{{%s %q}}", stepName, at)
	t := template.Must(template.New("").Funcs(stubs()).Parse(text))
	return t.Root.Nodes[0]
}

// counter counts the steps of one execution.
type counter struct {
	ctx   context.Context
	steps int
}

// step counts one more. The result is what the call in the template prints.
func (c *counter) step(at string) (string, error) {
	if c.steps++; c.steps > MaxSteps {
		return "", limitAt(at, fmt.Sprintf("more than %d steps", MaxSteps))
	}
	if c.steps%1024 == 0 && c.ctx.Err() != nil {
		return "", context.Cause(c.ctx)
	}
	return "", nil
}

// limitAt returns the error for something that never ends at a place that text/template calls "file:line:column".
func limitAt(at, message string) *Error {
	e := errorOf("", fmt.Errorf("template: %s: %s", at, message))
	e.cause = ErrLimit
	return e
}

// sized passes on a string that a function has made, if it is not too long.
func sized(s string) (string, error) {
	if len(s) > MaxOutput {
		return "", fmt.Errorf("a string of %d bytes: %w", len(s), ErrLimit)
	}
	return s, nil
}

// bounded returns a function that prints its arguments, after looking at how long they are.
func bounded(print func(...any) string) func(...any) (string, error) {
	return func(args ...any) (string, error) {
		n := 0
		for _, a := range args {
			if s, ok := a.(string); ok {
				n += len(s)
			}
		}
		if n > MaxOutput {
			return "", fmt.Errorf("strings of %d bytes: %w", n, ErrLimit)
		}
		return sized(print(args...))
	}
}

// boundedf is bounded for a format and its arguments.
func boundedf(format string, args ...any) (string, error) {
	// Each verb may use a string again: %[1]s%[1]s.
	longest := 0
	for _, a := range args {
		if s, ok := a.(string); ok {
			longest = max(longest, len(s))
		}
	}
	if verbs := strings.Count(format, "%"); longest > 0 && verbs > MaxOutput/longest {
		return "", fmt.Errorf("%d strings of up to %d bytes: %w", verbs, longest, ErrLimit)
	}
	return sized(fmt.Sprintf(format, args...))
}
