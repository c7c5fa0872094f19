package reference

import (
	"math/big"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/gen/internal/goldens/reference/money"
)

var drawing = check.Union[Shape](Circle{}, (*Square)(nil))

var invoice = []check.Option{
	check.Registered(AmountCodec{}, func(rng *rand.Rand) money.Amount { return money.Cents(rng.Int64()) }),
	check.Own(func(rng *rand.Rand) netip.Addr { return netip.AddrFrom4([4]byte{1, 2, 3, byte(rng.Uint32())}) }),
	check.Own(func(rng *rand.Rand) big.Int { return *big.NewInt(rng.Int64()) }),
	check.Own(func(rng *rand.Rand) big.Rat { return *big.NewRat(rng.Int64(), 7) }),
}

func TestFlight(t *testing.T)  { check.Record(t, FlightSerializer{}) }
func TestPair(t *testing.T)    { check.Record(t, PairStringIntSerializer{}) }
func TestPair64(t *testing.T)  { check.Record(t, PairInt64FlightSerializer{}) }
func TestEntry(t *testing.T)   { check.Record(t, EntrySerializer{}) }
func TestCharter(t *testing.T) { check.Record(t, CharterSerializer{}) }
func TestDrawing(t *testing.T) { check.Record(t, DrawingSerializer{}, drawing) }
func TestInvoice(t *testing.T) { check.Record(t, InvoiceSerializer{}, invoice...) }
func TestSkipped(t *testing.T) { check.Record(t, SkippedSerializer{}) }
func TestRenamed(t *testing.T) { check.Record(t, RenamedSerializer{}) }
func TestEvolved(t *testing.T) { check.Record(t, EvolvedSerializer{}) }
func TestTicket(t *testing.T) {
	check.Record(t, TicketSerializer{}, check.Alias("Booking", "Reservation"))
}
func TestNumbers(t *testing.T)  { check.Record(t, NumbersSerializer{}) }
func TestBounded(t *testing.T)  { check.Record(t, BoundedSerializer{}) }
func TestSorted(t *testing.T)   { check.Record(t, SortedSerializer{}) }
func TestStamped(t *testing.T)  { check.Record(t, StampedSerializer{}) }
func TestInterned(t *testing.T) { check.Record(t, InternedSerializer{}) }
func TestViewed(t *testing.T)   { check.Record(t, ViewedSerializer{}) }
func TestStop(t *testing.T)     { check.Record(t, StopSerializer{}) }

func TestStopValues(t *testing.T) { check.Values(t, StopSerializer{}) }

// Every example of the reference page is code of this package, and every tag and directive has one.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "TAGS.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code string
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") || strings.HasSuffix(f, "_rw.go") {
			continue
		}
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		code += string(src)
	}
	var quoted strings.Builder
	blocks := 0
	for rest := string(page); ; blocks++ {
		_, after, ok := strings.Cut(rest, "\n```go\n")
		if !ok {
			break
		}
		block, end, ok := strings.Cut(after, "\n```\n")
		if !ok {
			t.Fatal("a block has no end")
		}
		rest = end
		quoted.WriteString(block)
		if !strings.Contains(code, block+"\n") {
			t.Errorf("the package has no such code:\n%s", block)
		}
	}
	for _, want := range []string{
		"//rwgen:record\ntype", "//rwgen:record [", "//rwgen:union", "//rwgen:codec", "//rwgen:writer", `rw:"-"`, "name=", "alias=", "default=", "varint", "fixed", "max=",
		"utf8", "sorted", "unixnano", "intern", "view", "format=protobuf", "format=binary",
	} {
		if !strings.Contains(quoted.String(), want) {
			t.Errorf("%d blocks, and no example of %s", blocks, want)
		}
	}
}
