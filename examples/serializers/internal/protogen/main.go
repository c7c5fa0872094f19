// Command protogen compiles a file in the protobuf language, in Go, and runs plugins of protoc on it, which write their output beside it. So the code of
// the protobuf peers is made without protoc:
//
//	//go:generate go run ../../../internal/protogen records.proto
//
// The plugins are tools of this module, of the versions in its go.mod.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// plugins are the tools with their parameters.
func plugins() [][2]string {
	return [][2]string{
		{"protoc-gen-go", "paths=source_relative"},
		{"protoc-gen-go-vtproto", "paths=source_relative,features=marshal+unmarshal+unmarshal_unsafe+size+pool" +
			",pool=" + records + ".Small,pool=" + records + ".Sensor,pool=" + records + ".Order" +
			",pool=" + records + ".Line,pool=" + records + ".Address,pool=" + records + ".Text"},
	}
}

// records is the Go package of the messages.
const records = "github.com/rwgen/rwgen/examples/serializers/peers/protobuf/pb"

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

// run generates code for one file in the current directory.
func run(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("one file is needed, %d are given", len(args))
	}
	compiler := protocompile.Compiler{Resolver: &protocompile.SourceResolver{}, SourceInfoMode: protocompile.SourceInfoStandard}
	files, err := compiler.Compile(ctx, args[0])
	if err != nil {
		return err
	}
	for _, plugin := range plugins() {
		request := &pluginpb.CodeGeneratorRequest{
			FileToGenerate: args,
			Parameter:      proto.String(plugin[1]),
			ProtoFile:      []*descriptorpb.FileDescriptorProto{protoutil.ProtoFromFileDescriptor(files[0])},
		}
		if err := generate(ctx, plugin[0], request); err != nil {
			return fmt.Errorf("%s: %w", plugin[0], err)
		}
	}
	return nil
}

// generate runs one plugin and writes its files.
func generate(ctx context.Context, plugin string, request *pluginpb.CodeGeneratorRequest) error {
	in, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "go", "tool", plugin)
	// In a workspace the other modules' requirements count too, and the tool could be a newer one than this module's.
	command.Env = append(command.Environ(), "GOWORK=off")
	command.Stdin, command.Stderr = bytes.NewReader(in), os.Stderr
	out, err := command.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return fmt.Errorf("%s", response.GetError())
	}
	for _, f := range response.File {
		if err := os.WriteFile(filepath.Base(f.GetName()), []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
