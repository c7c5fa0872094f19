// Package rwgen holds the codecs of this project: generated code, the same for records whose strings are views, generated code behind the interface of serializers, which is the generic path, and the
// serializer that works by reflection.
package rwgen
