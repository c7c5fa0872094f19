package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
)

// TestGuide checks that the guide has the tables that the program prints.
func TestGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("measures a million records for each figure")
	}
	guide, err := os.ReadFile("../../runtime/selector/GUIDE.md")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(&out, full); err != nil {
		t.Fatal(err)
	}
	for table := range strings.SplitSeq(out.String(), "\n\n") {
		if !strings.Contains(string(guide), "\n\n"+strings.TrimSpace(table)+"\n\n") {
			t.Errorf("runtime/selector/GUIDE.md has not the table that go run ./examples/selectors prints:\n%s", table)
		}
	}
}

var small = size{keys: 100_000, keySets: 1}

func TestSameInEveryRun(t *testing.T) {
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := run(out, small); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() {
		t.Errorf("%s\nand then\n%s", &first, &second)
	}
}

// TestStatements checks what the guide says about the rules, on a tenth of the records.
func TestStatements(t *testing.T) {
	r, err := measure(small)
	if err != nil {
		t.Fatal(err)
	}
	row := func(name string) [2][]float64 {
		i := slices.IndexFunc(rules, func(r rule) bool { return r.name == name })
		if i < 0 {
			t.Fatalf("no rule %s", name)
		}
		return r[i]
	}
	const uniform, zipf = 0, 1
	const n10, n85, n127, n1000 = 0, 1, 2, 3
	between := func(what string, x, least, most float64) {
		t.Helper()
		if x < least || x > most {
			t.Errorf("%s: %.3f, want %.3f to %.3f", what, x, least, most)
		}
	}
	key, choices, flink, few, kafka := row("`key=`"), row("`key= choices=2`"), row("`key= hash=flink`"), row("the same, m = 128"), row("`key= hash=kafka`")
	between("uniform keys, 10", key[uniform][n10], 1, 1.05)
	between("uniform keys, Kafka, 10", kafka[uniform][n10], 1, 1.05)
	// 43 channels have two groups of 128, and 42 one; with 127 channels one has two; the 256 groups of the default make two or three.
	between("Flink's ranges, 85", flink[uniform][n85]/(2*85./128), 0.95, 1.15)
	between("Flink's ranges, 127 of 128", few[uniform][n127]/(2*127./128), 0.95, 1.15)
	between("Flink's ranges, 127 of 256", flink[uniform][n127]/(3*127./256), 0.95, 1.15)
	between("Flink's ranges, 1000 of 128", few[uniform][n1000], 0, 0)
	// The most frequent key alone is 13.4 % of these records.
	for j, n := range consumers {
		between("the most frequent key", key[zipf][j], 0.134*float64(n), 0.134*float64(n)+2)
		between("two choices halve it", choices[zipf][j], 1, max(1.05, key[zipf][j]/1.9))
		between("two choices, uniform", choices[uniform][j], 1, 1.1)
		between("rebalance", row("`rebalance`")[zipf][j], 1, 1.05)
		between("load", row("`load`")[zipf][j], 1, 1.2)
		between("shuffle", row("`shuffle`")[zipf][j], 1, 1.5)
	}
	between("two choices at least halve it, 10", key[zipf][n10]/choices[zipf][n10], 2, 3)
	between("rescale, 4 producers and 10 consumers", row("`rescale`")[uniform][n10], 1.249, 1.251)
}

// TestQueueStatements checks that what looks at loads spares a slow consumer, and that nothing else does.
func TestQueueStatements(t *testing.T) {
	q, err := backlogs(small)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rules {
		if !r.queued {
			continue
		}
		sees := r.choices || r.name == "`load`"
		if even, slow := q[i][0], q[i][1]; even > 16<<10 || sees && slow > 16<<10 || !sees && slow < 200<<10 {
			t.Errorf("%s: longest queue %d bytes, %d with a slow consumer", r.name, even, slow)
		}
	}
}

// TestTwoChannelsPerKey checks that with two choices no key goes to a third channel, whatever the loads and the producer.
func TestTwoChannelsPerKey(t *testing.T) {
	events := keySet(0, 10_000)
	keys := order(zipf(len(events)), 0)
	for _, n := range consumers {
		q := newQueues(n, 50) // too slow: there are loads to flee from
		all, err := rule{make: keyChoices}.selectors(n, 0, q)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int32][]int{}
		two := 0
		for i, key := range keys {
			channel := all[i%producers].Select(&events[key], n)
			q.send(channel)
			if !slices.Contains(seen[key], channel) {
				seen[key] = append(seen[key], channel)
			}
			a, b := selector.TwoOf(events[key].xxh3, n)
			if channel != a && channel != b || len(seen[key]) > 2 {
				t.Fatalf("%d consumers: key %d goes to %v, its channels are %d and %d", n, key, seen[key], a, b)
			}
			if len(seen[key]) == 2 {
				two++
			}
		}
		if two == 0 {
			t.Errorf("%d consumers: no key goes to two channels", n)
		}
	}
}

func TestZipf(t *testing.T) {
	counts := zipf(100_000)
	total := 0
	for _, n := range counts {
		total += n
	}
	if total != 100_000 {
		t.Errorf("%d records", total)
	}
	// The second key is 2^−1.1 times as frequent as the first, the hundredth 100^−1.1 times.
	for k, want := range map[int]float64{2: 0.4665, 100: 0.00631} {
		if got := float64(counts[k-1]) / float64(counts[0]); got < want*0.98 || got > want*1.02 {
			t.Errorf("key %d occurs %d times, the first %d", k, counts[k-1], counts[0])
		}
	}
	if got := len(order(counts, 1)); got != total {
		t.Errorf("a stream of %d records", got)
	}
}

func TestQueues(t *testing.T) {
	q := newQueues(2, 100) // each takes half a record while one is sent
	for i, want := range []int64{100, 150, 200} {
		q.send(0)
		if got := q.parts(0)>>partBits + 50; got != want { // 50 were taken since
			t.Errorf("%d sent: %d bytes, want %d", i+1, got, want)
		}
	}
	q.send(1)
	if q.backlog(0) != 100 || q.backlog(1) != 50 || q.longest() != 100 {
		t.Errorf("backlogs %d and %d, longest %d", q.backlog(0), q.backlog(1), q.longest())
	}
	for range 4 {
		q.send(1)
	}
	if q.backlog(0) != 0 {
		t.Errorf("channel 0 had time to be empty, and has %d", q.backlog(0))
	}
}
