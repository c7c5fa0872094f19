// Package quakes has what is generated for two .proto files. Its tests compare it with what the runtime of Protobuf makes of them.
package quakes
