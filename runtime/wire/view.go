package wire

// View returns p without the capacity beyond its length, so that appending to the result copies. It shares the memory of p.
func View(p []byte) []byte { return p[:len(p):len(p)] }
