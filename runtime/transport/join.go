package transport

import (
	"fmt"
	"slices"
	"strings"
)

// lostChannels are the errors of several channels of one partition, which say the same of the same peer.
type lostChannels struct {
	errs []*PeerError // by subpartition
}

func (e *lostChannels) Error() string {
	first := e.errs[0]
	var subs []string
	for i := 0; i < len(e.errs); {
		k := i
		for k+1 < len(e.errs) && e.errs[k+1].Subpartition == e.errs[k].Subpartition+1 {
			k++
		}
		switch from, to := e.errs[i].Subpartition, e.errs[k].Subpartition; to - from {
		case 0:
			subs = append(subs, fmt.Sprint(from))
		case 1:
			subs = append(subs, fmt.Sprint(from), fmt.Sprint(to))
		default:
			subs = append(subs, fmt.Sprintf("%d to %d", from, to))
		}
		i = k + 1
	}
	return fmt.Sprintf("%s, subpartitions %s of %q%s", first.who(), strings.Join(subs, ", "), first.Partition, first.why())
}

// Unwrap returns the errors of all channels.
func (e *lostChannels) Unwrap() []error {
	errs := make([]error, len(e.errs))
	for i, err := range e.errs {
		errs[i] = err
	}
	return errs
}

// joinErrors is errors.Join, but what several channels of a partition say of one peer is said once.
func joinErrors(errs []error) error {
	type key struct{ peer, address, partition, why string }
	var joined many
	same := make(map[key]*lostChannels)
	for _, err := range errs {
		p, ok := err.(*PeerError)
		if !ok {
			joined = append(joined, err)
			continue
		}
		k := key{p.Peer, p.Address, p.Partition, p.why()}
		if same[k] == nil {
			same[k] = &lostChannels{}
			joined = append(joined, same[k])
		}
		same[k].errs = append(same[k].errs, p)
	}
	for i, err := range joined {
		l, ok := err.(*lostChannels)
		if !ok {
			continue
		}
		if len(l.errs) == 1 {
			joined[i] = l.errs[0]
			continue
		}
		slices.SortFunc(l.errs, func(a, b *PeerError) int { return a.Subpartition - b.Subpartition })
	}
	switch len(joined) {
	case 0:
		return nil
	case 1:
		return joined[0]
	}
	return joined
}

// many are several errors, one after the other.
type many []error

func (m many) Error() string {
	texts := make([]string, len(m))
	for i, err := range m {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns all of them.
func (m many) Unwrap() []error { return m }
