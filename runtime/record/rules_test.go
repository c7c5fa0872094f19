package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// upper is a format of text, whose later version is the same in capitals.
type upper struct{ refuse error }

func (u upper) Resolve(writer, reader record.Schema, refuseUnknown bool) (record.Translator, error) {
	if u.refuse != nil || refuseUnknown {
		return nil, u.refuse
	}
	return u, nil
}

func (upper) Put(dst, src []byte, _ record.Limits) (n, consumed int, err error) {
	return copy(dst, strings.ToUpper(string(src))), len(src), shortRoom(dst, src)
}

func TestForeignRules(t *testing.T) {
	writer := record.TextSchema("text/1 a", "")
	reader := record.TextSchema("text/1 b", "")
	reader.Rules = upper{}
	tr, err := record.Resolve(writer, reader)
	if err != nil {
		t.Fatal(err)
	}
	got, n, err := tr.Append([]byte("x"), []byte("abc"), record.Limits{})
	if string(got) != "xABC" || n != 3 || err != nil {
		t.Errorf("Append = %q, %d, %v", got, n, err)
	}
	if tr, err := record.Resolve(writer, reader, record.RefuseUnknown()); tr != nil || err != nil {
		t.Errorf("without a translator: %v, %v", tr, err)
	}
	refuse := errors.New("no")
	reader.Rules = upper{refuse}
	if tr, err := record.Resolve(writer, reader); tr != nil || err != refuse {
		t.Errorf("%v, %v", tr, err)
	}
	same := reader
	same.Rules = nil
	if tr, err := record.Resolve(same, reader); tr != nil || err != nil {
		t.Errorf("equal schemas: %v, %v", tr, err)
	}
	for _, w := range []string{"rwgen/1 R{A i32}", "avro/1 {}", "text/2 a", ""} {
		var e *record.ResolveError
		if _, err := record.Resolve(record.TextSchema(w, ""), reader); !errors.As(err, &e) || !strings.Contains(err.Error(), "format") {
			t.Errorf("a writer of %q: %v", w, err)
		}
	}
}

func shortRoom(dst, src []byte) error {
	if len(dst) < len(src) {
		return wire.ErrShort
	}
	return nil
}
