package main

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"time"
)

const (
	cards        = 2000
	hoursOfDay   = 24
	typicalCents = 2400.0 // the median payment
)

var merchants = []string{
	"Bakery Lindt", "City Transit", "Corner Pharmacy", "Fuel & Go", "Grand Hotel", "Green Grocer", "Hardware Depot", "Jet Airways", "Kiosk 24", "Noodle House",
	"Online Books", "Parking North", "Sports World", "Super Market", "Vinyl Records",
}

// hours returns a day made up from a seed: for each hour its limit and its payments. The payments of an hour belong to the consumer until the next one.
func hours(seed uint64, payments int) iter.Seq2[Entry, []Entry] {
	return func(yield func(Entry, []Entry) bool) {
		random := rand.New(rand.NewPCG(seed, 0))
		popular := rand.NewZipf(random, 1.1, 8, cards-1) // some cards are used much more often than others
		midnight := time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)
		var batch []Entry
		id := 0
		for hour := range hoursOfDay {
			start := midnight.Add(time.Duration(hour) * time.Hour)
			limit := Entry{Kind: Limit, Time: start, Cents: int64(typicalCents * (8 + 4*random.Float64()))}
			batch = batch[:0]
			last := payments * (hour + 1) / hoursOfDay
			first, count := id, last-id
			for ; id < last; id++ {
				batch = append(batch, Entry{
					Kind:     Payment,
					ID:       int64(id),
					Time:     start.Add(time.Hour * time.Duration(id-first) / time.Duration(count)).Truncate(time.Millisecond),
					Card:     fmt.Sprintf("4929-%04d-%04d", popular.Uint64(), seed%10000),
					Merchant: merchants[random.IntN(len(merchants))],
					Cents:    int64(typicalCents * math.Exp(random.NormFloat64())),
				})
			}
			if !yield(limit, batch) {
				return
			}
		}
	}
}
