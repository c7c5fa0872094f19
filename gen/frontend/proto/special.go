package proto

import "google.golang.org/protobuf/reflect/protoreflect"

// specialType is a message that is a Go type of its own.
type specialType int

const (
	notSpecial specialType = iota
	timestamp
	duration
	wrapper // of the type of its only field
)

var specials = map[protoreflect.FullName]specialType{
	"google.protobuf.Timestamp": timestamp, "google.protobuf.Duration": duration,
	"google.protobuf.DoubleValue": wrapper, "google.protobuf.FloatValue": wrapper, "google.protobuf.Int64Value": wrapper, "google.protobuf.UInt64Value": wrapper,
	"google.protobuf.Int32Value": wrapper, "google.protobuf.UInt32Value": wrapper, "google.protobuf.BoolValue": wrapper, "google.protobuf.StringValue": wrapper,
	"google.protobuf.BytesValue": wrapper,
}

// wrapped are the kinds of what the wrappers hold.
var wrapped = map[protoreflect.FullName]protoreflect.Kind{
	"google.protobuf.DoubleValue": protoreflect.DoubleKind, "google.protobuf.FloatValue": protoreflect.FloatKind,
	"google.protobuf.Int64Value": protoreflect.Int64Kind, "google.protobuf.UInt64Value": protoreflect.Uint64Kind,
	"google.protobuf.Int32Value": protoreflect.Int32Kind, "google.protobuf.UInt32Value": protoreflect.Uint32Kind,
	"google.protobuf.BoolValue": protoreflect.BoolKind, "google.protobuf.StringValue": protoreflect.StringKind, "google.protobuf.BytesValue": protoreflect.BytesKind,
}

// special says which Go type a message is, going by its name.
func special(m protoreflect.MessageDescriptor) specialType { return specials[m.FullName()] }
