//go:build linux

// Wire is a bad line between two network namespaces: packets are late, lost, out of order, or come twice. It makes two network devices, which may be moved into other namespaces, and carries IP packets from each to the other until it is told
// to end by SIGTERM. It is for .ci/netns, does not depend on what the kernel has of such things (tc netem), and what it does to each packet follows from a seed. Usage:
//
//	wire [-delay DURATION] [-jitter DURATION] [-loss P] [-reorder P] [-duplicate P] [-seed N] DEVICE DEVICE
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "wire: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	var l line
	fs := flag.NewFlagSet("wire", flag.ContinueOnError)
	fs.DurationVar(&l.delay, "delay", 20*time.Millisecond, "of each packet, one way")
	fs.DurationVar(&l.jitter, "jitter", 5*time.Millisecond, "by how much more a packet may be late")
	fs.Float64Var(&l.loss, "loss", 0.01, "probability that a packet is lost")
	fs.Float64Var(&l.reorder, "reorder", 0.005, "probability that a packet overtakes those before it")
	fs.Float64Var(&l.duplicate, "duplicate", 0.005, "probability that a packet comes twice")
	fs.Uint64Var(&l.seed, "seed", 1, "of all choices")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() != 2 {
		return errors.New("two names of devices are needed")
	}
	var ends [2]*os.File
	for i := range ends {
		f, err := open(fs.Arg(i))
		if err != nil {
			return fmt.Errorf("device %s: %w", fs.Arg(i), err)
		}
		defer f.Close()
		ends[i] = f
	}
	stop := context.AfterFunc(ctx, func() { // ends all reads
		for _, f := range ends {
			_ = f.SetDeadline(time.Unix(1, 0))
		}
	})
	defer stop()
	var wg sync.WaitGroup
	var ways [2]way
	for i := range ways {
		ways[i] = way{line: &l, from: ends[i], to: ends[1-i], random: rand.New(rand.NewPCG(l.seed, uint64(i))), queue: make(chan packet, queueLength)}
		wg.Go(ways[i].receive)
		wg.Go(ways[i].send)
	}
	wg.Wait()
	for i, w := range ways {
		fmt.Printf("%s to %s: %d packets, %d lost, %d dropped because the queue was full, %d out of order, %d twice\n", fs.Arg(i), fs.Arg(1-i), w.packets, w.lost, w.dropped, w.reordered, w.twice)
	}
	if ctx.Err() == nil {
		return errors.New("a device has failed")
	}
	return nil
}

// line is what happens to packets.
type line struct {
	delay, jitter            time.Duration
	loss, reorder, duplicate float64
	seed                     uint64
}

// queueLength is how many packets can be under way in each direction.
const queueLength = 1000

// packet is one that is under way.
type packet struct {
	data []byte
	due  time.Time
}

// way is one direction.
type way struct {
	line     *line
	from, to *os.File
	random   *rand.Rand
	queue    chan packet // receive closes it

	packets, lost, dropped, reordered, twice int // of receive
}

// receive takes packets from the one end, and decides what becomes of each.
func (w *way) receive() {
	defer close(w.queue)
	buf := make([]byte, 64<<10)
	for {
		n, err := w.from.Read(buf)
		if errors.Is(err, syscall.EIO) { // the device is down
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if err != nil {
			return
		}
		w.packets++
		if w.random.Float64() < w.line.loss {
			w.lost++
			continue
		}
		p := packet{append([]byte(nil), buf[:n]...), time.Now().Add(w.line.delay + time.Duration(w.random.Float64()*float64(w.line.jitter)))}
		if w.random.Float64() < w.line.reorder {
			w.reordered++
			w.write(p.data)
			continue
		}
		times := 1
		if w.random.Float64() < w.line.duplicate {
			w.twice++
			times = 2
		}
		for range times {
			select {
			case w.queue <- p:
			default:
				w.dropped++
			}
		}
	}
}

// send gives packets to the other end when they are due, in their order.
func (w *way) send() {
	for p := range w.queue {
		time.Sleep(time.Until(p.due))
		w.write(p.data)
	}
}

// write gives one packet to the other end. A device that is down, or not configured, loses it.
func (w *way) write(data []byte) { _, _ = w.to.Write(data) }

// open makes a device for IP packets. It is gone when the file is closed.
func open(name string) (*os.File, error) {
	fd, err := syscall.Open("/dev/net/tun", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("/dev/net/tun: %w", err)
	}
	var request struct {
		name  [16]byte
		flags uint16
		_     [22]byte
	}
	const setInterface, tun, noInfo = 0x400454ca, 0x0001, 0x1000
	copy(request.name[:15], name)
	request.flags = tun | noInfo
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), setInterface, uintptr(unsafe.Pointer(&request))); errno != 0 {
		_ = syscall.Close(fd)
		return nil, errno
	}
	if err := syscall.SetNonblock(fd, true); err != nil { // so that deadlines work
		_ = syscall.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}
