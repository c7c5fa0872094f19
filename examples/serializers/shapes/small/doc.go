// Package small is the shape of a small record with two strings, known from other benchmarks of serializers.
package small
