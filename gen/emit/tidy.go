package emit

import "strings"

// tidy shortens what the emitters, which generate one value after the other, cannot know to be the last one of a function:
//
//	i := 20 + n         return 20 + n, nil
//	return i, nil
//
//	n := 1              m, ok := sizeT(…)
//	m, ok := sizeT(…)   return 1 + m, ok
//	n += m
//	if !ok {
//		return n, false
//	}
//	return n, true
//
// It works on lines, before they are formatted: each statement has its own.
func tidy(src string) string {
	lines := strings.Split(src, "\n")
	kept := lines[:0]
	for len(lines) > 0 {
		n, short := tail(lines)
		if n == 0 {
			n, short = 1, lines[:1]
		}
		lines = lines[n:]
		kept = append(kept, short...)
	}
	return strings.Join(kept, "\n")
}

// tail returns how many of the first lines are one of the patterns, and what they become; 0 if they are none.
func tail(lines []string) (n int, short []string) {
	name, value, ok := strings.Cut(strings.TrimSpace(lines[0]), " := ")
	if !ok || len(lines) < 2 || strings.ContainsAny(name, " ,") || strings.HasPrefix(name, "//") {
		return 0, nil
	}
	at := func(i int) string {
		if i < len(lines) {
			return strings.TrimSpace(lines[i])
		}
		return ""
	}
	if at(1) == "return "+name+", nil" {
		return 2, []string{"return " + value + ", nil"}
	}
	results, call, _ := strings.Cut(at(1), " := ")
	m, good, _ := strings.Cut(results, ", ")
	if call != "" && at(2) == name+" += "+m && at(3) == "if !"+good+" {" && at(4) == "return "+name+", false" && at(5) == "}" && at(6) == "return "+name+", true" {
		return 7, []string{lines[1], "return " + value + " + " + m + ", " + good}
	}
	return 0, nil
}
