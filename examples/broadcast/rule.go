package main

import (
	"slices"
	"time"
)

// Rule says which strikes are to be investigated: from a day on, until the day of the next rule.
//
//rwgen:record
//rwgen:writer ToAll broadcast eventtime=From
type Rule struct {
	Version int32     // from 1
	From    time.Time // the first day; its event time
	MinSize Size
	MinCost int64 // dollars
}

// applies returns whether a strike is to be investigated.
func (r *Rule) applies(s *Strike) bool { return s.Size >= r.MinSize || s.Cost >= r.MinCost }

// rulesOf returns the rules that the example makes up: another one every quarter of the years from first to last.
func rulesOf(first, last int) []Rule {
	sizes := []Size{Large, Medium, Large, Small, Medium}
	costs := []int64{100_000, 10_000, 1_000_000}
	var rules []Rule
	for year := first; year <= last; year++ {
		for month := time.January; month <= time.December; month += 3 {
			n := len(rules)
			rules = append(rules, Rule{
				Version: int32(n + 1), From: time.Date(year, month, 1, 0, 0, 0, 0, time.UTC),
				MinSize: sizes[n%len(sizes)], MinCost: costs[n%len(costs)],
			})
		}
	}
	return rules
}

// inForce returns the rule that was in force at a time, nil if there was none yet. The rules are in the order of their days.
func inForce(rules []Rule, at time.Time) *Rule {
	next := slices.IndexFunc(rules, func(r Rule) bool { return r.From.After(at) })
	if next < 0 {
		next = len(rules)
	}
	if next == 0 {
		return nil
	}
	return &rules[next-1]
}
