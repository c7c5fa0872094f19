package partition

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// standing is a reader that waits in Next, and something that stands in for it.
type standing struct {
	*one
	other  *one // another writer of the same inbox
	ctx    context.Context
	cancel context.CancelFunc
	calls  int
	bytes  int         // that the stand-in has read
	next   chan string // what Next has returned
}

// take reads as the stand-in.
func (s *standing) take() bool {
	v, err := s.inbox.Try(false)
	if v == nil || err != nil {
		s.t.Errorf("nothing to read: %v, %v", v, err)
		return false
	}
	c, _ := v.Poll()
	s.bytes += len(c.Data)
	c.Release()
	return true
}

// wait lets the reader wait once more.
func (s *standing) wait() {
	go func() {
		v, err := s.inbox.Next(s.ctx)
		switch {
		case err != nil:
			s.next <- err.Error()
		case v == nil:
			s.next <- "poked"
		case v == s.other.views[0]:
			s.next <- "the other view"
		default:
			s.next <- "the view"
		}
	}()
	synctest.Wait()
}

// returned says what Next has returned; empty: it waits.
func (s *standing) returned() string {
	synctest.Wait()
	select {
	case r := <-s.next:
		return r
	default:
		return ""
	}
}

// Who stands in for a waiting reader reads what was announced, on the writer's goroutine, and the reader is woken only if it has to be.
func TestStandIn(t *testing.T) {
	errEnd := errors.New("the end")
	for name, c := range map[string]struct {
		do   func(s *standing) bool
		want string // from Next; empty: it waits on
	}{
		"reads all":                     {(*standing).take, ""},
		"gives up":                      {func(*standing) bool { return false }, "the view"},
		"reads all, and gives up":       {func(s *standing) bool { s.take(); return false }, "poked"},
		"leaves something":              {func(*standing) bool { return true }, "the view"},
		"another is announced":          {func(s *standing) bool { s.other.write(0); return s.take() }, "the other view"},
		"another has flushed":           {func(s *standing) bool { s.other.write(0); _ = s.other.part.Flush(); return s.take() }, "the other view"},
		"the reader is poked":           {func(s *standing) bool { s.inbox.Poke(); return s.take() }, "poked"},
		"the inbox is closed":           {func(s *standing) bool { s.inbox.Close(errEnd); return true }, errEnd.Error()},
		"the reader stops to wait":      {func(s *standing) bool { return s.leave() && s.take() }, context.Canceled.Error()},
		"the reader stops, and the end": {func(s *standing) bool { s.leave(); s.inbox.Close(errEnd); return true }, context.Canceled.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := NewInbox()
				s := &standing{one: newOne(t, in, 1, WhenIdle(time.Second)), other: newOne(t, in, 1, WhenIdle(time.Second)), next: make(chan string, 1)}
				s.ctx, s.cancel = context.WithCancel(t.Context())
				defer s.cancel()
				in.StandIn(func() bool { s.calls++; return c.do(s) })
				s.wait()
				s.write(0)
				if got := s.returned(); got != c.want || s.calls != 1 {
					t.Errorf("Next has returned %q, want %q, after %d calls", got, c.want, s.calls)
				}
				if c.want == "" {
					if s.bytes < 16 || s.bytes%16 != 0 {
						t.Errorf("%d bytes were read", s.bytes)
					}
					// Not again within a short time; then again.
					s.write(0)
					if got := s.returned(); got != "the view" || s.calls != 1 {
						t.Errorf("the next record at once: %q after %d calls", got, s.calls)
					}
					v := s.views[0]
					chunk, _ := v.Poll()
					chunk.Release()
					s.wait()
					time.Sleep(standInGap)
					s.write(0)
					if got := s.returned(); got != c.want || s.calls != 2 {
						t.Errorf("later: %q, want %q, after %d calls", got, c.want, s.calls)
					}
					s.cancel()
					if got := s.returned(); got != context.Canceled.Error() {
						t.Errorf("at the end: %q", got)
					}
				}
				s.one.close()
				s.other.close()
			})
		})
	}
}

// leave makes the reader stop to wait, and checks that it does not return before the stand-in is done.
func (s *standing) leave() bool {
	s.cancel()
	if got := s.returned(); got != "" {
		s.t.Errorf("Next has returned %q while somebody reads in its place", got)
	}
	return true
}

// Without a stand-in, or when it was taken back, the reader is woken.
func TestStandInIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := NewInbox()
		s := &standing{one: newOne(t, in, 1, WhenIdle(time.Second)), other: newOne(t, in, 1, WhenIdle(time.Second)), ctx: t.Context(), next: make(chan string, 1)}
		in.StandIn(func() bool { t.Error("called"); return true })
		in.StandIn(nil)
		s.wait()
		s.write(0)
		if got := s.returned(); got != "the view" {
			t.Errorf("Next has returned %q", got)
		}
		s.one.close()
		s.other.close()
	})
}
