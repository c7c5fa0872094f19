// Command protogen compiles a file in the protobuf language, in Go, and runs protoc-gen-go on it, which writes its output to a directory. So the messages are made without protoc:
//
//	//go:generate go run ./internal/protogen schemas/quake.proto quakepb
//
// The plugin is of the version in the go.mod of this module.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

// run generates code for one file.
func run(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("a file and a directory are needed, %d arguments are given", len(args))
	}
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{filepath.Dir(args[0])}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	name := filepath.Base(args[0])
	files, err := compiler.Compile(ctx, name)
	if err != nil {
		return err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: []string{name}, Parameter: proto.String("paths=source_relative")}
	request.ProtoFile = addFile(nil, files[0])
	in, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "go", "run", "google.golang.org/protobuf/cmd/protoc-gen-go")
	// In a workspace the other modules' requirements count too, and the plugin could be a newer one than this module's.
	command.Env = append(command.Environ(), "GOWORK=off")
	command.Stdin, command.Stderr = bytes.NewReader(in), os.Stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("protoc-gen-go: %w", err)
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return errors.New(response.GetError())
	}
	for _, f := range response.File {
		if err := os.WriteFile(filepath.Join(args[1], f.GetName()), []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// addFile adds a file after those that it imports, each once.
func addFile(list []*descriptorpb.FileDescriptorProto, file protoreflect.FileDescriptor) []*descriptorpb.FileDescriptorProto {
	for _, f := range list {
		if f.GetName() == file.Path() {
			return list
		}
	}
	for i := range file.Imports().Len() {
		list = addFile(list, file.Imports().Get(i).FileDescriptor)
	}
	return append(list, protoutil.ProtoFromFileDescriptor(file))
}
