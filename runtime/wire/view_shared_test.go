//go:build !purego

package wire_test

const viewsShare = true
