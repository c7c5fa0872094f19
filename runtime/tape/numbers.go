package tape

import (
	"sort"
	"sync"
)

// numbers is which records of a tape those are that were fed to an edge. The feeder says so before a record can be read, and readers ask for records that they have read, so that what they get is always the same.
type numbers struct {
	lanes []laneNumbers
}

// laneNumbers is a lane's part: record start is the first that is wanted, and from a jump on the numbers are offset by another amount. There is one jump for each loss, and one for the start.
type laneNumbers struct {
	start  uint64
	fed    uint64 // by the feeder
	expect uint64 // the record that follows without a jump

	mu    *sync.Mutex
	jumps []jump // guarded by mu
}

// jump says that the record that was fed with a number, counted from 0, has another one on the tape.
type jump struct{ fed, record uint64 }

func newNumbers(start []uint64) numbers {
	n := numbers{lanes: make([]laneNumbers, len(start))}
	for lane, first := range start {
		n.lanes[lane] = laneNumbers{start: first, expect: first, mu: new(sync.Mutex), jumps: []jump{{0, first}}}
	}
	return n
}

// next says which record of a lane is fed next. It is for the feeder.
func (n *numbers) next(lane int, record uint64) {
	l := &n.lanes[lane]
	if record != l.expect {
		l.mu.Lock()
		l.jumps = append(l.jumps, jump{l.fed, record})
		l.mu.Unlock()
	}
	l.fed++
	l.expect = record + 1
}

// before returns what [Feeder.Record] does. Behind the last record that was fed nothing is known of a jump that follows, so it is the one behind that.
func (n *numbers) before(channel int, fed uint64) uint64 {
	l := &n.lanes[min(channel, len(n.lanes)-1)] // a broadcast writer has one lane for all
	if fed == 0 {
		return l.start
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	i := sort.Search(len(l.jumps), func(i int) bool { return l.jumps[i].fed > fed-1 }) - 1
	return l.jumps[i].record + fed - l.jumps[i].fed
}
