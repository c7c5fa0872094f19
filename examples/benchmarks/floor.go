package main

// floorRow generates records, hashes them and adds them up by partition, all in the producer: what no hand-off can be faster than.
func floorRow() row {
	return row{name: "floor", prepare: func(c cell, n uint64) (pipe, error) {
		sums := make([]tally, c.partitions)
		done := make(chan struct{})
		produce := func() error {
			for i := range n {
				s := sample(i)
				sums[partitionOf(&s, len(sums))].add(&s)
			}
			close(done)
			return nil
		}
		consume := make([]func() (tally, error), c.lanes())
		for lane := range consume {
			consume[lane] = func() (tally, error) {
				<-done
				if !c.shared {
					return sums[lane], nil
				}
				var total tally
				for _, t := range sums {
					total.merge(t)
				}
				return total, nil
			}
		}
		return pipe{produce: produce, consume: consume}, nil
	}}
}
