package diag

import (
	"slices"
	"strings"
)

// Nearest returns the candidate that word was probably meant to be, "" if none is near. Differences in case count least; of
// equally near candidates the first in alphabetical order wins.
func Nearest(word string, candidates []string) string {
	best, bestCost := "", 1
	if len(word) > 1 {
		bestCost = max(1, len(word)/3) + 1
	}
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		cost := distance(strings.ToLower(word), strings.ToLower(c))
		if cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// distance is the number of insertions, deletions, replacements and swaps of neighbours that turn a into b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			replace := rows[i-1][j-1]
			if x[i-1] != y[j-1] {
				replace++
			}
			rows[i][j] = min(replace, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
