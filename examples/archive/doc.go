// Package archive keeps records in files, without an exchange: the serializers that rwgen generates, frames and schemas written by hand. The page SERIALIZERS.md of package record is about it.
package archive
