// Package kilo is the shape of records of 1 KiB, most of it one array of bytes.
package kilo
