package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
)

// attempts are those to reach a server since it was reached last, all of which have failed. The zero value is none.
type attempts struct {
	n       int
	reached bool // it was, before them
	last    error
	// cause is the last that says why: at the end there often is no time left for more than a timeout.
	cause error
}

func (a *attempts) add(err error) {
	a.n++
	a.last = err
	if !timeout(err) {
		a.cause = err
	}
}

// timeout reports whether an error says no more than that there was no answer in time.
func timeout(err error) bool {
	var t net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &t) && t.Timeout()
}

// error says how long and how often it was tried, why that has failed, and what may help.
func (a *attempts) error(c *Config) error {
	err, hint := a.cause, ""
	var dns *net.DNSError
	switch {
	case err == nil:
		err, hint = a.last, "nothing answers: is the address right, and no firewall between?"
	case isRefused(err) && a.reached:
		hint = "nobody listens there any more: the process has ended"
	case isRefused(err):
		hint = "nobody listens there: has the process been started, with this address?"
	case errors.Is(err, io.ErrUnexpectedEOF):
		hint = "does a process of the exchange listen there, and do both sides, or none, use TLS?"
	case errors.As(err, &dns):
		hint = "is the name right?"
	default:
		if text, ok := alert(err); ok {
			hint = alertHint(text)
		}
	}
	tries := "1 try"
	if a.n > 1 {
		tries = fmt.Sprintf("%d tries", a.n)
	}
	if hint != "" {
		hint = " (" + hint + ")"
	}
	return fmt.Errorf("not reached for %v, the limit in Config.GiveUp, with %s: %w%s", c.GiveUp, tries, err, hint)
}

// alert returns the text of the alert that ended a handshake of TLS, one that was received or sent. Package crypto/tls has no type for them outside of QUIC.
func alert(err error) (text string, ok bool) {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil && (op.Op == "remote error" || op.Op == "local error") {
		return op.Err.Error(), true
	}
	return "", false
}

// The alerts of TLS by which a side refuses the certificate of the other, or the lack of one, RFC 8446 §6.2.
const (
	badCertificate         tls.AlertError = 42
	unsupportedCertificate tls.AlertError = 43
	certificateExpired     tls.AlertError = 45
	certificateUnknown     tls.AlertError = 46
	unknownAuthority       tls.AlertError = 48
	certificateRequired    tls.AlertError = 116
)

// alertHint returns what may help against an alert with this text.
func alertHint(text string) string {
	if text == certificateRequired.Error() {
		return "the server wants a client certificate of an authority that it accepts: Config.TLS.Certificates has none"
	}
	if aboutCertificate(text) {
		return "the server does not accept this certificate; its producer says why"
	}
	return ""
}

// aboutCertificate reports whether an alert with this text refuses a certificate that was shown.
func aboutCertificate(text string) bool {
	return slices.ContainsFunc([]tls.AlertError{badCertificate, unsupportedCertificate, certificateExpired, certificateUnknown, unknownAuthority}, func(a tls.AlertError) bool {
		return text == a.Error()
	})
}
