package templates

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen"
)

// What is committed is what the templates make now.
func TestUpToDate(t *testing.T) {
	r, err := gen.Generate(t.Context(), gen.Options{Templates: []string{"sql"}})
	if err != nil || len(r.Diagnostics) > 0 {
		t.Fatal(err, r.Diagnostics)
	}
	var names []string
	for _, f := range r.Files {
		names = append(names, strings.TrimPrefix(f.Path[strings.LastIndexAny(f.Path, `/\`):], `/`))
		if !bytes.Equal(f.Old, f.Content) {
			t.Errorf("run go generate: %s\n%s", f.Path, cmp.Diff(string(f.Old), string(f.Content)))
		}
	}
	want := []string{"order_bench_rw_test.go", "order_fuzz_rw_test.go", "order_roundtrip_rw_test.go", "order_rw.go", "order_rw.md", "order_sql_rw.go", "schema.sql"}
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	if len(r.Orphans) > 0 {
		t.Errorf("orphans: %v", r.Orphans)
	}
}

// Tables have the columns that rows have, in their order.
func TestColumns(t *testing.T) {
	ddl, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	column := regexp.MustCompile(`(?m)^\t"(\w+)" `)
	for table, columns := range map[string][]string{"order": OrderColumns(), "refund": RefundColumns()} {
		_, after, ok := strings.Cut(string(ddl), `CREATE TABLE "`+table+`" (`)
		body, _, _ := strings.Cut(after, ");")
		var got []string
		for _, m := range column.FindAllStringSubmatch(body, -1) {
			got = append(got, m[1])
		}
		if d := cmp.Diff(columns, got); d != "" || !ok {
			t.Errorf("%s (-code +table):\n%s", table, d)
		}
	}
}

func TestInsert(t *testing.T) {
	log := &logged{}
	db := sql.OpenDB(log)
	defer db.Close()
	note, discount := "it's for \"me\"", float32(0.25)
	placed := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	order := Order{
		ID: 1<<64 - 1, Placed: placed, Customer: "Ann", Total: 1250, Paid: true, Discount: &discount, Note: &note,
		Lines: []Line{{"tea", 2, 500}, {"", 1, 250}}, Tags: map[string]string{"b": "2", "a": "1"}, From: netip.MustParseAddr("2001:db8::1"), Digest: [32]byte{31: 7}, attempts: -1,
	}
	digest := make([]byte, 32)
	digest[31] = 7
	for _, test := range []struct {
		order Order
		want  []driver.Value
	}{
		{order, []driver.Value{"18446744073709551615", placed, "Ann", int64(1250), true, 0.25, note,
			`[{"Article":"tea","Count":2,"Price":500},{"Article":"","Count":1,"Price":250}]`, `{"a":"1","b":"2"}`, "2001:db8::1", digest, int64(-1)}},
		{Order{}, []driver.Value{"0", time.Time{}, "", int64(0), false, nil, nil, "null", "null", nil, make([]byte, 32), int64(0)}},
	} {
		row, err := OrderValues(&test.order)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.ExecContext(t.Context(), OrderInsert, row...); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(test.want, log.args); d != "" || log.query != OrderInsert {
			t.Errorf("%s (-want +got):\n%s", log.query, d)
		}
	}
	refund, err := RefundValues(&Refund{Order: 7, Reason: []byte{0, 1}})
	if err != nil || !reflect.DeepEqual(refund, []any{"7", nil, int64(0), []byte{0, 1}}) {
		t.Errorf("got %v, %v", refund, err)
	}
	for _, insert := range []struct {
		query   string
		columns []string
	}{{OrderInsert, OrderColumns()}, {RefundInsert, RefundColumns()}} {
		if n := len(insert.columns); strings.Count(insert.query, "$") != n || !strings.Contains(insert.query, `"`+strings.Join(insert.columns, `", "`)+`"`) || !strings.HasSuffix(insert.query, fmt.Sprintf("$%d)", n)) {
			t.Errorf("%s is not about %q", insert.query, insert.columns)
		}
	}
}

// logged is a database that remembers the last statement. It takes what every driver takes.
type logged struct {
	query string
	args  []driver.Value
}

func (l *logged) Connect(context.Context) (driver.Conn, error) { return conn{l}, nil }
func (l *logged) Driver() driver.Driver                        { return nil }

type conn struct{ *logged }

var errNone = errors.New("not in this database")

func (c conn) Prepare(query string) (driver.Stmt, error) { return stmt{c.logged, query}, nil }
func (c conn) Begin() (driver.Tx, error)                 { return nil, errNone }
func (c conn) Close() error                              { return nil }

type stmt struct {
	*logged
	text string
}

func (s stmt) NumInput() int                             { return strings.Count(s.text, "$") }
func (s stmt) Query([]driver.Value) (driver.Rows, error) { return nil, io.EOF }
func (s stmt) Close() error                              { return nil }
func (s stmt) Exec(a []driver.Value) (driver.Result, error) {
	s.query, s.args = s.text, a
	return driver.RowsAffected(1), nil
}

func ExampleOrderValues() {
	row, err := OrderValues(&Order{ID: 7, Customer: "Ann", Lines: []Line{{Article: "tea", Count: 2}}})
	if err != nil {
		panic(err)
	}
	for i, name := range OrderColumns() {
		if text, ok := row[i].(string); ok && (name == "customer" || json.Valid([]byte(text))) {
			fmt.Println(name, text)
		}
	}
	// Output:
	// order_id 7
	// customer Ann
	// lines [{"Article":"tea","Count":2,"Price":0}]
	// tags null
}
