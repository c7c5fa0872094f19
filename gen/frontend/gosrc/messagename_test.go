package gosrc

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// The names are those of protoc-gen-go: a nested message with a small letter first is not joined by an underscore, and its name could be taken for that of another message.
func TestMessageOf(t *testing.T) {
	message := func(name string, nested ...*descriptorpb.DescriptorProto) *descriptorpb.DescriptorProto {
		return &descriptorpb.DescriptorProto{Name: proto.String(name), NestedType: nested}
	}
	messages := []*descriptorpb.DescriptorProto{
		message("A", message("b", message("c")), message("D", message("_e"))),
		message("A_B"), message("snake_case", message("in_it")), message("_x"), message("v1"),
	}
	for goName, want := range map[string]string{
		"A": "A", "AB": "A.b", "ABC": "A.b.c", "A_D": "A.D", "A_D_XE": "A.D._e", "A_B": "A_B", "SnakeCase": "snake_case", "SnakeCaseInIt": "snake_case.in_it", "XX": "_x", "V1": "v1",
	} {
		if got, ok := messageOf(messages, goName, ""); got != want || !ok {
			t.Errorf("%s: %q, want %q", goName, got, want)
		}
	}
	if got, ok := messageOf(messages, "A_C", ""); ok {
		t.Errorf("A_C: %q", got)
	}
}
