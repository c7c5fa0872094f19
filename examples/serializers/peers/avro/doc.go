// Package avro holds the codecs of twmb/avro, copying and with views of the input, and of hamba/avro.
package avro
