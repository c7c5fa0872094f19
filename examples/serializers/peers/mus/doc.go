// Package mus holds the codecs of mus-go, written as its generator writes them: a serializer for each type, fields in order, numbers of fixed
// width, lengths as varints. The variant with views takes strings and numbers from its package unsafe.
package mus
