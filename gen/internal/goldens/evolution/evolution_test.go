package evolution

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	v1 "github.com/rwgen/rwgen/gen/internal/goldens/evolution/v1"
	v2 "github.com/rwgen/rwgen/gen/internal/goldens/evolution/v2"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Numbers that take most of an int, whatever that has.
const (
	large = math.MinInt >> 23
	word  = math.MaxInt >> 13
)

var (
	at     = time.Unix(1_700_000_000, 5).UTC()
	before = func() *v1.Booking {
		discount := int16(-3)
		return &v1.Booking{
			ID: -1, Count: 65535, Small: -300, Large: large, Word: word, Rate: 1.5, From: "OSL", Note: "n", Raw: []byte("raw"), Created: at, Changed: at, Paid: true,
			Discount: &discount, Gone: map[string][]v1.Leg{"x": {{From: "a"}}}, Legs: []v1.Leg{{From: "OSL", To: "LHR", Miles: 720}, {}}, Seats: map[uint8]v1.Seat{1: {Row: 12, Letter: "C"}}, Fixed: [2]float32{1, 2},
			Extra: &v1.Bag{Weight: 20}, Extras: []v1.Extra{v1.Meal{Name: "m"}, nil, v1.Code(-5)}, Parent: &v1.Booking{ID: 2, Last: "inner"}, Last: "last",
		}
	}
	after = func() *v2.Ticket {
		from, no, none, discount, yes := "OSL", false, "", int64(-3), true
		fresh := v2.Ticket{Class: "economy", Number: -7, Ratio: 0.5, Open: true}
		t, parent := fresh, fresh
		parent.ID, parent.Until, parent.From, parent.Paid = 2, "inner", &none, &no
		parent.Note = []byte{}
		t.Until, t.ID, t.Count, t.Small, t.Large, t.Word, t.Rate, t.Fixed = "last", -1, 65535, -300, large, word, 1.5, [2]float64{1, 2}
		t.Note, t.Raw, t.Created, t.Changed, t.From, t.Paid, t.Discount = []byte("n"), "raw", at, at, &from, &yes, &discount
		t.Legs = []v2.Segment{{To: "LHR", From: "OSL", Miles: 720, Days: 1}, {Days: 1}}
		t.Seats = map[uint16]*v2.Seat{1: {Letter: "C", Row: 12}}
		t.Extra, t.Extras, t.Parent = &v2.Bag{Weight: 20}, []v2.Extra{v2.Meal{Name: "m", Hot: true}, nil, v2.Code(-5)}, &parent
		return &t
	}
)

// through sends v through an exchange of a writer and a reader of any two records, and returns what arrives.
func through[V, R any, W check.Writer[V], G check.Reader[R]](
	t *testing.T, v *V, newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (G, error),
) (*R, error) {
	t.Helper()
	ctx := t.Context()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		done, cancel := context.WithCancel(ctx)
		cancel()
		_ = x.Close(done)
	}()
	w, err := newWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReader(x.Gate(0))
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if err := errors.Join(w.Emit(ctx, v), w.Emit(ctx, v), w.Close()); err != nil {
		t.Fatal(err)
	}
	got := new(R)
	for range 2 {
		if ok, err := r.Next(ctx, got); !ok || err != nil {
			t.Fatalf("%v, %v", ok, err)
		}
	}
	if ok, err := r.Next(ctx, new(R)); ok || err != nil {
		t.Errorf("after the end: %v, %v", ok, err)
	}
	return got, r.Close()
}

// TestEveryChange reads what v1 has written as v2, in which everything has changed that may.
func TestEveryChange(t *testing.T) {
	got, err := through[v1.Booking, v2.Ticket](t, before(), v1.NewBookingWriter, v2.NewTicketReader)
	if err != nil {
		t.Fatal(err)
	}
	if want := after(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\n%+v, want\n%+v", got, got.Parent, want)
	}
	// What v2 writes is a record of its own.
	again, err := through[v2.Ticket, v2.Ticket](t, got, v2.NewTicketWriter, v2.NewTicketReader)
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestTheOtherWay: the record of another name is another one for v1, which cannot know its new name; and with the alias, each field that v1 cannot hold is named.
func TestTheOtherWay(t *testing.T) {
	_, err := through[v2.Ticket, v1.Booking](t, after(), v2.NewTicketWriter, v1.NewBookingReader)
	var refused *record.ResolveError
	if !errors.Is(err, partition.ErrSchema) || !errors.As(err, &refused) || len(refused.Findings) != 1 || !strings.Contains(err.Error(), "Booking: the writer's is Ticket: it is another record") {
		t.Errorf("%v", err)
	}
	s := v1.BookingSerializer{}.Schema()
	s.Reading = "Booking alias=Ticket"
	if _, err := record.Resolve(v2.TicketSerializer{}.Schema(), s); !errors.As(err, &refused) {
		t.Fatalf("%v", err)
	}
	var paths []string
	for _, f := range refused.Findings {
		paths = append(paths, strings.TrimPrefix(f.Path, "Booking."))
	}
	want := []string{
		"ID", "Count", "Small", "Rate", "From", "Paid", "Discount", "Legs[].Miles", "Seats[key]", "Seats[]", "Fixed[]", "Extra(Bag).Weight", "Extra(Code)",
	}
	if !reflect.DeepEqual(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
}

// TestBothWays: passengers of either version are read as those of the other.
func TestBothWays(t *testing.T) {
	email := "a@example.com"
	older := &v1.Passenger{Name: "A", Miles: -5, Old: []string{"x"}, Born: at, VIP: true, Seat: v1.Seat{Row: 3, Letter: "F"}, Bags: []v1.Bag{{Weight: 7}, {Weight: 8}}}
	newer := &v2.Passenger{Seat: v2.Seat{Letter: "F", Row: 3, Aisle: true}, Name: "A", VIP: true, Miles: -5, Born: at, Email: &email, Bags: []v2.Luggage{{Weight: 7, Label: "l"}, {Weight: 8}}}
	up, err := through[v1.Passenger, v2.Passenger](t, older, v1.NewPassengerWriter, v2.NewPassengerReader)
	want := *newer
	want.Email, want.Seat.Aisle, want.Bags = nil, false, []v2.Luggage{{Weight: 7}, {Weight: 8}}
	if err != nil || !reflect.DeepEqual(up, &want) {
		t.Errorf("v1 as v2: %+v, %v", up, err)
	}
	down, err := through[v2.Passenger, v1.Passenger](t, newer, v2.NewPassengerWriter, v1.NewPassengerReader)
	old := *older
	old.Old = nil
	if err != nil || !reflect.DeepEqual(down, &old) {
		t.Errorf("v2 as v1: %+v, %v", down, err)
	}
	// A reader that wants to know every field says which it does not.
	strict := func(g *gate.Gate, opts ...gate.Option) (*v1.PassengerReader, error) {
		return v1.NewPassengerReader(g, append(opts, gate.RefuseUnknown())...)
	}
	_, err = through[v2.Passenger, v1.Passenger](t, newer, v2.NewPassengerWriter, strict)
	for _, path := range []string{"Passenger.Email", "Passenger.Seat.Aisle", "Passenger.Bags[].Label"} {
		if !errors.Is(err, partition.ErrSchema) || !strings.Contains(err.Error(), path+": the field is unknown") {
			t.Errorf("%v, want %s", err, path)
		}
	}
}
