package proto

import (
	"bytes"
	"go/token"
	"path"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// setExtensions are those of descriptor sets.
var setExtensions = []string{".binpb", ".pb", ".desc", ".protoset", ".fds"}

// isSet reports whether a file is a descriptor set: by its name, or else because it is nothing but fields of a set.
func isSet(name string, content []byte) bool {
	switch ext := path.Ext(name); {
	case ext == ".proto":
		return false
	case slices.Contains(setExtensions, ext):
		return true
	}
	const files = 1 // the number of the only field of a set
	for b := content; len(b) > 0; {
		number, typ, n := protowire.ConsumeTag(b)
		if n < 0 || number != files || typ != protowire.BytesType {
			return false
		}
		_, m := protowire.ConsumeBytes(b[n:])
		if m < 0 {
			return false
		}
		b = b[n+m:]
	}
	return len(content) > 0
}

// set adds the files of a descriptor set.
func (l *loader) set(name string, content []byte) {
	*l.at = name
	at := token.Position{Filename: name}
	var set descriptorpb.FileDescriptorSet
	if err := (proto.UnmarshalOptions{RecursionLimit: 10 * mostLevels, DiscardUnknown: true}).Unmarshal(content, &set); err != nil {
		l.fail(at, "the output of protoc --descriptor_set_out or of buf build", "this is no descriptor set: %s", tidy(err.Error()))
		return
	}
	if len(set.File) == 0 {
		l.fail(at, "the output of protoc --descriptor_set_out or of buf build", "the descriptor set has no files")
	}
	for _, fd := range set.File {
		if len(l.files) >= mostFiles {
			l.fail(at, "several runs", "more than %d files", mostFiles)
			return
		}
		if l.wellKnown(fd.GetName()) != nil {
			continue // as everybody has it
		}
		if other := l.index.sets[fd.GetName()]; other != nil {
			if !equalProtos(other.proto, fd) {
				l.fail(at, "sets of one build", "%s is another file than in %s", quote(fd.GetName()), other.source)
			}
			continue
		}
		f := &file{name: name, source: name, path: fd.GetName(), given: true, proto: fd}
		if fd.SourceCodeInfo != nil && fd.GetName() != "" {
			f.name = fd.GetName() // positions are those in the source
		}
		for _, dep := range fd.Dependency {
			f.imports = append(f.imports, imported{path: dep, pos: token.Position{Filename: f.name}})
		}
		l.add(f)
		l.index.sets[f.path] = f
	}
}

// equalProtos reports whether two descriptors are the same, but for what they say about the sources.
func equalProtos(a, b *descriptorpb.FileDescriptorProto) bool {
	encode := func(fd *descriptorpb.FileDescriptorProto) []byte {
		fd = proto.Clone(fd).(*descriptorpb.FileDescriptorProto)
		fd.SourceCodeInfo = nil
		b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(fd)
		if err != nil {
			return nil
		}
		return b
	}
	return bytes.Equal(encode(a), encode(b))
}
