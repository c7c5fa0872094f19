// Package metrics defines the snapshots that writers, readers and exchanges return. It is plain data: exporters are
// modules of their own.
//
//	s := w.Stats()
//	log.Printf("%d records, %d bytes, blocked %v", s.Records, s.Bytes, s.Blocked)
//	for i, c := range s.Channels { … }
//
// Counters only grow. A snapshot may be taken from any goroutine while the writer or reader works; its numbers are exact for
// everything that happened before the snapshot on the same goroutine, and at most one operation apart otherwise.
package metrics
