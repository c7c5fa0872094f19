package gosrc

import (
	"bytes"
	"fmt"
	"go/token"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rwgen/rwgen/gen/diag"
)

// reportLoad reports that the go command could not list packages at all: go.mod is broken, the platform does not exist, and so on.
func (l *loader) reportLoad(err error) {
	msg := l.shorten(exitStatus.ReplaceAllString(oneLine(err.Error()), ""))
	category, hint := diag.Load, ""
	switch {
	case strings.Contains(msg, "requires go >="):
		category = diag.Toolchain
		hint = "install that Go release, or let the go command fetch it with GOTOOLCHAIN=auto"
	case strings.Contains(msg, "unsupported GOOS/GOARCH"):
		category = diag.Toolchain
		if name, value := l.platform(); name != "" {
			hint = fmt.Sprintf("unset %s, which is %s in the environment", name, value)
		}
	}
	l.diags.Addf(token.Position{}, category, "%s", msg).Hint = hint
}

// reportSyntax reports files that do not parse, in packages where that can matter: a record in such a file may have been lost.
func (u *unit) reportSyntax() {
	matters := false
	for _, d := range u.order {
		matters = matters || d.record || slices.Contains(u.cfg.Types, d.spec.Name.Name)
	}
	seen := make(map[string]bool)
	for _, e := range u.pkg.Errors {
		pos := u.errorPosition(e)
		if e.Kind != packages.ParseError || pos.Filename == "" || seen[pos.Filename] {
			continue
		}
		// The parser goes on after an error, but the errors that follow are mostly echoes of the first.
		seen[pos.Filename] = true
		if matters || bytes.Contains(u.sourceText(filepath.Base(pos.Filename)), []byte(prefix)) {
			u.diags.Addf(pos, diag.Syntax, "%s", oneLine(e.Msg))
		}
	}
}

var newerGo = regexp.MustCompile(`runs version go1\.(\d+) of 'go list'|requires newer Go version go(\S+)`)

// reportToolchain adds, to what else there is to say, that the go command is newer than the one that rwgen was built with. The
// type checker of an older release may not understand newer sources, so it comes only with other findings, unless a package that
// the patterns match was refused altogether.
func (l *loader) reportToolchain() {
	check := func(p *packages.Package) bool {
		for _, e := range p.Errors {
			m := newerGo.FindStringSubmatch(e.Msg)
			if m == nil {
				continue
			}
			version := m[2]
			if m[1] != "" {
				version = "1." + m[1]
			}
			l.diags.Addf(token.Position{}, diag.Toolchain, "the sources need go%s, but rwgen was built with %s", version, runtime.Version()).
				Hint = "build rwgen with the newer release: go tool rwgen, go run or go install with that go command"
			return true
		}
		return false
	}
	if len(*l.diags) > 0 {
		for p := range packages.Postorder(l.roots) {
			if check(p) {
				return
			}
		}
		return
	}
	for _, p := range l.roots {
		for _, e := range p.Errors {
			if strings.Contains(e.Msg, "requires newer Go version") && check(p) {
				return
			}
		}
	}
}

var (
	exitStatus = regexp.MustCompile(`^err: exit status \d+: stderr: `)
	notInStd   = regexp.MustCompile(`(is not in std) \(.*\)`)
)

// shorten makes paths in a message of the go command relative, and leaves out where it has looked for a standard package.
func (l *loader) shorten(msg string) string {
	msg = notInStd.ReplaceAllString(msg, "$1")
	msg = strings.ReplaceAll(msg, l.cfg.Dir+string(filepath.Separator), "")
	return strings.ReplaceAll(msg, l.cfg.Dir, ".")
}

// oneLine joins the lines of a message of the go command.
func oneLine(msg string) string { return strings.Join(strings.Fields(msg), " ") }

// platform returns the variable of the environment, if any, that asks for another platform than this one.
func (l *loader) platform() (name, value string) {
	for _, v := range []struct{ name, host string }{{"GOOS", runtime.GOOS}, {"GOARCH", runtime.GOARCH}} {
		if value := getenv(l.cfg.Env, v.name); value != "" && value != v.host {
			return v.name, value
		}
	}
	return "", ""
}

// platformHint says what a foreign platform in the environment does, which is easy to overlook.
func (l *loader) platformHint() string {
	if name, value := l.platform(); name != "" {
		return fmt.Sprintf("unset %s, which is %s in the environment: files for other platforms are left out", name, value)
	}
	return ""
}
