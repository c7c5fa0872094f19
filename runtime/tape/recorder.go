package tape

import (
	"context"
	"errors"
	"io"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/partition"
)

// output has its methods promoted without being a field for users.
type output = partition.Output

// stateBytes is how much a tape grows between two looks at the lanes whose blocks are still open, if there are watermarks.
const stateBytes = 1 << 20

// Recorder is an output that records what its writer hands over: of another output ([NewTee]), or of its own ([NewRecorder]). It takes one writer, like any output, and its methods are for
// the goroutines that those of partition.Output are for.
//
// Bytes are taken from the open block before the other output hands it over, copied once, into the buffer of the file or right into the file:
//
//	block   ├─ recorded ──┼─ written ───┼─ free ──┤
//	                      ▲ from        ▲ Builder.Written
//
// Flush of the writer gives everything emitted to the file; closing the writer completes the tape. The file stays the caller's, to be closed after the writer.
//
// The tape has each record that was accepted, in the order of its lane, whether it was read or not; and, as readers do, it may have one whose Emit returned partition.ErrConsumerGone or
// partition.ErrCanceled. When the tape fails, every call of the writer does, with a [WriteError], which, like those, may also be returned for a record that readers get; they get all that was accepted, and when the writer
// is closed, that error. See [GiveUp] for the other choice.
type Recorder struct {
	output
	w    io.Writer
	opts options

	builders []buffer.Builder // after Claim
	log      *log             // after Claim; nil again when it was given up
	from     []place          // by lane: up to where the open block was recorded
	err      error            // of the tape, if it fails the writer
	ready    chan struct{}    // closed with err
	ended    bool
	result   error // of Finish or Fail

	now       state // of the producer
	stated    state // what is on the tape for all lanes
	nextState int64 // offset from which on the state of quiet lanes is due
}

// state is what a producer says of all lanes.
type state struct {
	watermark int64
	idle      bool
}

// place is a place in an open block.
type place struct{ bytes, records int }

var _ partition.Output = (*Recorder)(nil)

// NewTee returns an output that passes everything on to out and records it on w. It writes nothing before it has a writer.
func NewTee(out partition.Output, w io.Writer, opts ...Option) *Recorder {
	none := state{watermark: noWatermark}
	return &Recorder{output: out, w: w, opts: gather(opts), ready: make(chan struct{}), now: none, stated: none}
}

// Err returns why the tape has failed, nil if it has not or was given up. From the writer's goroutine.
func (r *Recorder) Err() error { return r.err }

// Claim implements partition.Output. It writes the header of the tape.
func (r *Recorder) Claim(c partition.Claim) ([]buffer.Builder, error) {
	builders, err := r.output.Claim(c)
	if err != nil {
		return nil, err
	}
	r.builders = builders
	l, err := start(r.w, newHeader(r.Topology(), c, r.opts.id))
	if err != nil {
		r.fail(err)
		if r.err != nil {
			r.ended = true // nobody else can end it now
			r.result = errors.Join(err, r.output.Fail(err))
			return nil, r.result
		}
		return builders, nil
	}
	r.log, r.from = l, make([]place, len(builders))
	r.nextState = l.offset
	return builders, nil
}

// fail handles the first error of the tape.
func (r *Recorder) fail(err error) {
	r.log = nil
	if r.opts.giveUp != nil {
		r.opts.giveUp(err)
		return
	}
	r.err = err
	close(r.ready)
	// The next record of every lane is to find it.
	for i := range r.builders {
		r.builders[i].Disarm()
	}
}

// check handles an error of the log, and returns why the writer must not go on.
func (r *Recorder) check() error {
	if r.log != nil && r.log.err != nil {
		r.fail(r.log.err)
	}
	return r.err
}

// capture records what a lane has written into its open block since the last time.
func (r *Recorder) capture(lane int) {
	if r.log == nil {
		return
	}
	b := &r.builders[lane]
	buf := b.Block()
	if buf == nil {
		return
	}
	from, end := &r.from[lane], b.Written()
	if from.bytes == end {
		return
	}
	b.Confirm() // publishes what a batch has appended, or its records would not be counted
	_, records := b.Position()
	r.log.records(lane, buf.Bytes()[from.bytes:end], records-from.records, r.now)
	*from = place{end, records}
}

// captureAll is capture for all lanes.
func (r *Recorder) captureAll() {
	for lane := range r.builders {
		r.capture(lane)
	}
}

// before records what a lane has written, before the other output may hand its block over.
func (r *Recorder) before(lane int) error {
	r.capture(lane)
	return r.check()
}

// after notes that the lane has another block, or none.
func (r *Recorder) after(lane int, opened bool) {
	if r.log != nil && (opened || r.builders[lane].Block() == nil) {
		r.from[lane] = place{}
	}
}

// state records what holds for all lanes, whose records must be on the tape.
func (r *Recorder) state() {
	if r.log == nil || r.stated == r.now {
		return
	}
	r.log.state(r.now)
	r.stated = r.now
}

// advance lets the watermark of quiet lanes catch up from time to time.
func (r *Recorder) advance() {
	if r.log == nil || r.log.offset < r.nextState || r.stated == r.now {
		return
	}
	r.captureAll()
	r.state()
	r.nextState = r.log.offset + max(stateBytes, int64(len(r.builders))<<10)
}

// Acquire implements partition.Output.
func (r *Recorder) Acquire(ctx context.Context, lane, size int) error {
	if err := r.before(lane); err != nil {
		return err
	}
	err := r.output.Acquire(ctx, lane, size)
	r.after(lane, err == nil)
	r.advance()
	return err
}

// TryAcquire implements partition.Output.
func (r *Recorder) TryAcquire(lane, size int) (bool, error) {
	if err := r.before(lane); err != nil {
		return false, err
	}
	ok, err := r.output.TryAcquire(lane, size)
	r.after(lane, ok)
	r.advance()
	return ok, err
}

// Large implements partition.Output.
func (r *Recorder) Large(ctx context.Context, lane, n int) (*buffer.Buffer, error) {
	if err := r.before(lane); err != nil {
		return nil, err
	}
	buf, err := r.output.Large(ctx, lane, n)
	r.after(lane, false)
	return buf, err
}

// TryLarge implements partition.Output.
func (r *Recorder) TryLarge(lane, n int) (*buffer.Buffer, error) {
	if err := r.before(lane); err != nil {
		return nil, err
	}
	buf, err := r.output.TryLarge(lane, n)
	r.after(lane, false)
	return buf, err
}

// Append implements partition.Output.
func (r *Recorder) Append(lane int, buf *buffer.Buffer, n int) error {
	r.capture(lane)
	if r.log != nil {
		r.log.records(lane, buf.Bytes()[:n], 1, r.now)
	}
	if err := r.check(); err != nil {
		buf.Release()
		return err
	}
	err := r.output.Append(lane, buf, n)
	r.after(lane, false)
	return err
}

// AppendAll implements partition.Output.
func (r *Recorder) AppendAll(buf *buffer.Buffer, n int) error {
	r.captureAll()
	if r.log != nil {
		r.log.shared(buf.Bytes()[:n], r.now)
	}
	if err := r.check(); err != nil {
		buf.Release()
		return err
	}
	err := r.output.AppendAll(buf, n)
	for lane := range r.builders {
		r.after(lane, false)
	}
	return err
}

// Announce implements partition.Output.
func (r *Recorder) Announce(lane int) error {
	if r.err != nil {
		return r.err
	}
	return r.output.Announce(lane)
}

// Flush implements partition.Output. It gives everything emitted to the file.
func (r *Recorder) Flush() error {
	if r.ended {
		return r.output.Flush()
	}
	r.captureAll()
	r.state()
	if r.log != nil {
		_ = r.log.flush(r.opts.sync == syncFlush) // check returns it
	}
	if err := r.check(); err != nil {
		return errors.Join(err, r.output.Flush())
	}
	return r.output.Flush()
}

// Watermark implements partition.Output.
func (r *Recorder) Watermark(micros int64) error {
	if r.err != nil {
		return r.err
	}
	if err := r.output.Watermark(micros); err != nil {
		return err
	}
	if micros <= r.now.watermark {
		return nil
	}
	wasIdle := r.now.idle
	r.now = state{watermark: micros}
	if wasIdle {
		// It ends idleness, which what follows on the tape must not be thought to be written in.
		r.captureAll()
		r.state()
	}
	return r.check()
}

// Idle implements partition.Output.
func (r *Recorder) Idle(idle bool) error {
	if r.err != nil {
		return r.err
	}
	if err := r.output.Idle(idle); err != nil {
		return err
	}
	if r.now.idle == idle {
		return nil
	}
	r.captureAll() // in the state that ends here
	r.now.idle = idle
	r.state()
	return r.check()
}

// Event implements partition.Output.
func (r *Recorder) Event(lane int, e partition.Event) error {
	if e.Kind == partition.EndOfData {
		lane = all
	}
	if lane == all {
		r.captureAll()
		r.state()
	} else {
		r.capture(lane)
	}
	if err := r.check(); err != nil {
		return err
	}
	err := r.output.Event(lane, e)
	for l := range r.builders {
		r.after(l, false)
	}
	if err != nil && leaving(err) != nil {
		return err // nobody has got it
	}
	if r.log != nil {
		r.log.event(lane, e)
	}
	if e := r.check(); e != nil {
		return errors.Join(e, err)
	}
	return err
}

// Finish implements partition.Output. It completes the tape.
func (r *Recorder) Finish() error { return r.end(nil) }

// Fail implements partition.Output. It completes the tape with the message of cause.
func (r *Recorder) Fail(cause error) error { return r.end(cause) }

func (r *Recorder) end(cause error) error {
	if r.ended {
		return r.result
	}
	r.ended = true
	r.captureAll()
	r.state()
	if r.log != nil {
		_ = r.log.flush(false) // check returns it
	}
	err := r.check()
	if cause == nil {
		cause = err // or readers would take what was accepted for all there is
	}
	if cause == nil {
		r.result = r.output.Finish()
		if errors.Is(r.result, partition.ErrCanceled) {
			cause = r.result
		}
	} else {
		r.result = r.output.Fail(cause)
	}
	if r.log != nil {
		r.log.end(cause)
		_ = r.log.flush(r.opts.sync != syncNever) // check returns it
	}
	if e := r.check(); e != nil {
		r.result = errors.Join(e, r.result)
	}
	return r.result
}

// Available implements partition.Output.
func (r *Recorder) Available(lane int) bool { return r.err != nil || r.output.Available(lane) }

// Ready implements partition.Output.
func (r *Recorder) Ready(lane int) <-chan struct{} {
	if r.err != nil {
		return r.ready
	}
	return r.output.Ready(lane)
}

// EventReady implements partition.Output.
func (r *Recorder) EventReady() <-chan struct{} {
	if r.err != nil {
		return r.ready
	}
	return r.output.EventReady()
}
