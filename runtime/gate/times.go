package gate

import "github.com/rwgen/rwgen/runtime/eventtime"

// times combines the watermarks of channels. It is the least of those of the active channels, kept as the root of a binary tree of minima, so that a change costs the logarithm of the
// number of channels at most. Channels that are idle or have ended count as infinity.
type times struct {
	watermarks []int64 // by channel, also of idle ones
	idle       []bool  // by channel
	ended      []bool  // by channel
	active     int     // channels that are neither
	left       int     // channels that have not ended
	tree       []int64 // the node i has the children 2i and 2i+1; the leaf of channel i is at len/2+i
}

func newTimes(channels int) times {
	leaves := 1
	for leaves < channels {
		leaves *= 2
	}
	t := times{
		watermarks: make([]int64, channels), idle: make([]bool, channels), ended: make([]bool, channels),
		active: channels, left: channels, tree: make([]int64, 2*leaves),
	}
	for i := range t.tree {
		t.tree[i] = eventtime.None
	}
	for i := range t.watermarks {
		t.watermarks[i] = eventtime.None
	}
	for i := channels; i < leaves; i++ {
		t.set(i, eventtime.End)
	}
	return t
}

// set changes a leaf and the minima above it.
func (t *times) set(i int, w int64) {
	node := len(t.tree)/2 + i
	t.tree[node] = w
	for node >>= 1; node > 0; node >>= 1 {
		least := min(t.tree[2*node], t.tree[2*node+1])
		if t.tree[node] == least {
			return
		}
		t.tree[node] = least
	}
}

// advance raises the watermark of a channel; a lower one changes nothing.
func (t *times) advance(i int, w int64) {
	if w <= t.watermarks[i] {
		return
	}
	t.watermarks[i] = w
	if !t.idle[i] && !t.ended[i] {
		t.set(i, w)
	}
}

// rest makes a channel idle.
func (t *times) rest(i int) {
	if t.idle[i] || t.ended[i] {
		return
	}
	t.idle[i] = true
	t.active--
	t.set(i, eventtime.End)
}

// resume makes a channel active again, with the watermark that it has.
func (t *times) resume(i int) {
	if !t.idle[i] || t.ended[i] {
		return
	}
	t.idle[i] = false
	t.active++
	t.set(i, t.watermarks[i])
}

// end says that a channel has ended.
func (t *times) end(i int) {
	if t.ended[i] {
		return
	}
	if !t.idle[i] {
		t.active--
	}
	t.idle[i], t.ended[i] = false, true
	t.left--
	t.set(i, eventtime.End)
}

// combined returns the watermark of all channels together. If idle is true there is none, because all channels that have not ended are idle. It may be lower than before, when a channel
// that was idle came back.
func (t *times) combined() (watermark int64, idle bool) {
	if t.active == 0 && t.left > 0 {
		return eventtime.None, true
	}
	return t.tree[min(1, len(t.tree)-1)], false
}
