package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/examples/schema/messages"
)

func TestTotal(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), nil, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if want := "total quakes=1707 compared=5121"; len(lines) != 4 || lines[3] != want {
		t.Errorf("got\n%s\nwant four lines, the last %q", stdout.String(), want)
	}
}

// TestDifferences: what has not arrived as it was expected is an error that names the event.
func TestDifferences(t *testing.T) {
	for name, spoil := range map[string]func(*event){
		"value":   func(e *event) { e.Quality.Stations = new(int32) },
		"list":    func(e *event) { e.Sources = append(e.Sources, "xx") },
		"enum":    func(e *event) { e.Status = "AUTOMATIC" },
		"missing": func(e *event) { e.ID = "other" },
	} {
		t.Run(name, func(t *testing.T) {
			events, err := readEvents("")
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(events, func(e event) bool { return e.Status == "REVIEWED" })
			events = events[i : i+1]
			m, err := toMessage(&events[0])
			if err != nil {
				t.Fatal(err)
			}
			id := events[0].ID
			spoil(&events[0])
			_, err = send(t.Context(), events, []*messages.Quake{m}, messages.NewQuakeByNetWriter, messages.NewQuakeReader, decodeNative)
			if want := strconv.Quote(id) + " differs"; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want an error with %s", err, want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"argument":    {[]string{"x"}, 2, "named with -in"},
		"no file":     {[]string{"-in", filepath.Join(dir, "none")}, 1, "no such file"},
		"no JSON":     {[]string{"-in", write("a", "{")}, 1, "no summary of earthquakes"},
		"coordinates": {[]string{"-in", write("b", `{"features": [{"id": "x", "geometry": {"coordinates": [1]}}]}`)}, 1, `event 1, "x": 1 coordinates in place of 3`},
		"status":      {[]string{"-in", write("c", `{"features": [{"id": "x", "properties": {"status": "new"}, "geometry": {"coordinates": [1, 2, 3]}}]}`)}, 1, `event "x"`},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), test.args, &stdout, &stderr); code != test.code || !strings.Contains(stderr.String(), test.want) {
				t.Errorf("exit code %d, %q; want %d, %q", code, stderr.String(), test.code, test.want)
			}
		})
	}
}
