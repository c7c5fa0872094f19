package main

// results has the imbalance of each rule, by rule, distribution and number of consumers, in the order of rules and consumers; 0 if the rule does
// not fit.
type results [][2][]float64

// measure makes the results, averaged over the key sets. Rules that do not look at keys are measured once, with the first set.
func measure(sz size) (results, error) {
	out := make(results, len(rules))
	for i := range out {
		out[i] = [2][]float64{make([]float64, len(consumers)), make([]float64, len(consumers))}
	}
	counts := [2][]int{uniform(sz.keys), zipf(sz.keys)}
	for set := range sz.keySets {
		events := keySet(set, sz.keys)
		for d := range counts {
			sent := stream(events, order(counts[d], uint64(set)))
			for i, r := range rules {
				weight := 1 / float64(sz.keySets)
				if !r.usesKey() {
					weight = 1
					if set > 0 || d > 0 {
						out[i][1] = out[i][0]
						continue
					}
				}
				for j, n := range consumers {
					if !r.fits(n) {
						continue
					}
					loads, err := r.loads(n, events, counts[d], sent, uint64(set))
					if err != nil {
						return nil, err
					}
					out[i][d][j] += weight * imbalance(loads)
				}
			}
		}
	}
	return out, nil
}

// The queues that are measured are those of slowConsumers consumers that together take slowPercent of what is sent if all have the same speed.
const (
	slowConsumers = 10
	slowPercent   = 110
)

// backlogs returns the bytes in the longest queue when uniform keys have been sent, by rule: to consumers of equal speed, and to consumers of which one
// has half the speed. Together they are still faster than the producers.
func backlogs(sz size) ([][2]int64, error) {
	events := keySet(0, sz.keys)
	sent := stream(events, order(uniform(sz.keys), 0))
	out := make([][2]int64, len(rules))
	for i, r := range rules {
		if !r.queued {
			continue
		}
		for slow := range out[i] {
			q := newQueues(slowConsumers, slowPercent)
			if slow == 1 {
				q.speed[0] /= 2
			}
			if _, err := r.byRecord(slowConsumers, sent, 0, q); err != nil {
				return nil, err
			}
			out[i][slow] = q.longest()
		}
	}
	return out, nil
}
