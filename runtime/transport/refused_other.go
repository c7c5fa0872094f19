//go:build !unix && !js && !wasip1 && !windows

package transport

// isRefused reports whether nobody listens at an address that was dialed, which errors do not tell here.
func isRefused(error) bool { return false }
