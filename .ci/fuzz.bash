# Sourced by run and long.

# fuzz_targets PACKAGE… prints a line "PACKAGE TARGET" for each fuzz target.
fuzz_targets() {
	go test -list '^Fuzz' "$@" |
		awk '/^Fuzz/ { t[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, t[i]; n = 0 }'
}

# fuzz_one PACKAGE TARGET TIME fuzzes one target. The go command sometimes reports its own deadline as a failure of the
# target; such a run, which wrote no failing input, is tried once more.
fuzz_one() {
	local log try
	log=$(mktemp)
	for try in 1 2; do
		if go test -run '^$' -fuzz "^$2\$" -fuzzminimizetime 1x -fuzztime "$3" "$1" >"$log" 2>&1; then
			printf '%s %s: %s\n' "$1" "$2" "$(grep -E '^fuzz: elapsed' "$log" | tail -n 1)"
			rm -f "$log"
			return 0
		fi
		if grep -q 'Failing input written' "$log" || ! grep -q 'context deadline exceeded' "$log"; then
			break
		fi
	done
	cat "$log" >&2
	rm -f "$log"
	return 1
}
