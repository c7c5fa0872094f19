package config_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/config"
)

// The examples of CONFIG.md are configurations, for the schema for editors too, and each key is in a table and in an example.
func TestPage(t *testing.T) {
	content, err := os.ReadFile("../CONFIG.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(content)
	var examples []string
	for _, part := range strings.Split(page, "```yaml\n")[1:] {
		example, _, _ := strings.Cut(part, "```")
		examples = append(examples, example)
	}
	if len(examples) < 5 {
		t.Fatalf("%d examples", len(examples))
	}
	s := editor(t)
	for _, example := range examples {
		if _, diags := config.Load([]byte(example), "rwgen.yaml"); len(diags) > 0 {
			t.Errorf("%v in\n%s", diags, example)
		}
		if err := valid(s, []byte(example)); err != nil {
			t.Errorf("%v in\n%s", err, example)
		}
	}
	var root map[string]any
	if err := json.Unmarshal(config.JSONSchema(), &root); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(examples, "\n")
	var visit func(s map[string]any)
	visit = func(s map[string]any) {
		if items, ok := s["items"].(map[string]any); ok {
			visit(items)
		}
		properties, _ := s["properties"].(map[string]any)
		for key, inner := range properties {
			if !strings.Contains(page, "| `"+key+"` |") {
				t.Errorf("the key %s is in no table", key)
			}
			if !strings.Contains(all, key+":") {
				t.Errorf("the key %s is in no example", key)
			}
			visit(inner.(map[string]any))
		}
	}
	visit(root)
	if !strings.Contains(page, config.SchemaURL) {
		t.Error("the page does not say where the schema is")
	}
}
