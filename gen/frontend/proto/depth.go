package proto

import "go/token"

// mostLevels is how deeply blocks may be nested. The compiler goes down by calls.
const mostLevels = 100

// tooDeep returns the place of the first bracket that is nested too deeply. It knows comments and strings, nothing else.
func tooDeep(name string, src []byte) (token.Position, bool) {
	line, start, depth := 1, 0, 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '\n':
			line, start = line+1, i+1
		case '{', '[', '(', '<':
			if depth++; depth > mostLevels {
				return token.Position{Filename: name, Line: line, Column: i - start + 1}, true
			}
		case '}', ']', ')', '>':
			depth = max(0, depth-1)
		case '/':
			if i+1 < len(src) && src[i+1] == '/' {
				for i+1 < len(src) && src[i+1] != '\n' {
					i++
				}
			} else if i+1 < len(src) && src[i+1] == '*' {
				for i += 2; i < len(src) && !(src[i] == '*' && i+1 < len(src) && src[i+1] == '/'); i++ {
					if src[i] == '\n' {
						line, start = line+1, i+1
					}
				}
				i++
			}
		case '"', '\'':
			for i++; i < len(src) && src[i] != c && src[i] != '\n'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			if i < len(src) && src[i] == '\n' {
				i--
			}
		}
	}
	return token.Position{}, false
}
