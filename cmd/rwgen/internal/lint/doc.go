// Package lint holds the rules of this repository that no standard tool knows: which package may import which, where package comments
// stand, what generated files look like, what must not be committed. Its test applies all of them to the working tree, together with go
// vet and two analyses of x/tools, so that go test ./... is enough to know that a change keeps them. A second test bounds what
// the generator and the runtime add to the go.mod of a module that uses them.
//
// A [Tree] is read once; each rule is a function of it that returns [Finding] values:
//
//	tree, err := lint.ReadTree(root)
//	for _, f := range lint.Imports(tree) {
//		fmt.Println(f)
//	}
package lint
