// Reads each recorded reply into the generated type and writes it again: `harness <manifest> <out>`.
// A line of the manifest is file, type and `one`, `list` or `any`. models.go, beside this file, makes a type by name.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	lines, err := os.ReadFile(os.Args[1])
	must(err)
	for _, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		fields := strings.Split(line, "\t")
		text, err := os.ReadFile(fields[0])
		must(err)
		var value any
		if fields[2] != "any" {
			value = models[fields[1]+" "+fields[2]]()
		}
		must(json.Unmarshal(text, &value))
		again, err := json.Marshal(value)
		must(err)
		must(os.WriteFile(filepath.Join(os.Args[2], filepath.Base(fields[0])), again, 0o644))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
