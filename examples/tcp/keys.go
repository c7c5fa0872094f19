package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// keysLast is for how long certificates are good.
const keysLast = 7 * 24 * time.Hour

const authorityFile = "authority.pem"

// keyFile is the file with the certificate and the key of a process.
func (p place) keyFile() string { return fmt.Sprintf("%s-%d.pem", p.role, p.index) }

// writeKeys makes an authority, and a certificate with its key for each process, in files of a directory that has none of them yet. The key of the authority is not kept: there will be no other certificates.
func writeKeys(dir string, l layout) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	now := time.Now()
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority of examples/tcp"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(keysLast),
		KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, authority, authority, &key.PublicKey, key)
	if err != nil {
		return err
	}
	if err := writeNew(filepath.Join(dir, authorityFile), &pem.Block{Type: "CERTIFICATE", Bytes: der}); err != nil {
		return err
	}
	for n, p := range l.places {
		blocks, err := p.certify(int64(n+2), authority, key)
		if err == nil {
			err = writeNew(filepath.Join(dir, p.keyFile()), blocks...)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name(), err)
		}
	}
	return nil
}

// certify makes the certificate of a process, and its key. It is good for what the process does and nothing else: who only reads cannot pass for one that is read from, and the other way round.
func (p place) certify(serial int64, authority *x509.Certificate, by *ecdsa.PrivateKey) ([]*pem.Block, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: p.name()}, NotBefore: authority.NotBefore, NotAfter: authority.NotAfter, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	if len(p.consumers) > 0 { // it dials, and says its name
		c.ExtKeyUsage = append(c.ExtKeyUsage, x509.ExtKeyUsageClientAuth)
	}
	if p.listens { // others dial its host
		c.ExtKeyUsage = append(c.ExtKeyUsage, x509.ExtKeyUsageServerAuth)
		host, _, err := net.SplitHostPort(p.self)
		if err != nil {
			return nil, err
		}
		if ip := net.ParseIP(host); ip != nil {
			c.IPAddresses = []net.IP{ip}
		} else {
			c.DNSNames = []string{host, p.name()} // with these the common name does not count
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, authority, &key.PublicKey, by)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return []*pem.Block{{Type: "CERTIFICATE", Bytes: der}, {Type: "PRIVATE KEY", Bytes: secret}}, nil
}

// writeNew writes a file for this user only.
func writeNew(name string, blocks ...*pem.Block) error {
	var b bytes.Buffer
	for _, block := range blocks {
		if err := pem.Encode(&b, block); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; remove the directory, or name another, to make new ones", err)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	return errors.Join(err, f.Close())
}

// readKeys makes the configuration of TLS of a process: it shows its certificate to both sides, and believes no other authority. Package transport compares the names of those who dial with their certificates, and TLS the host that is dialed.
func readKeys(dir string, p place) (*tls.Config, error) {
	text, err := os.ReadFile(filepath.Join(dir, authorityFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (tcp -role authority makes it)", err)
	}
	if err != nil {
		return nil, err
	}
	authority := x509.NewCertPool()
	if !authority.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: no certificate", authorityFile)
	}
	name := filepath.Join(dir, p.keyFile())
	own, err := tls.LoadX509KeyPair(name, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (tcp -role authority makes it; for processes that do both with -processes)", err)
	}
	if err != nil {
		return nil, err
	}
	return &tls.Config{Certificates: []tls.Certificate{own}, RootCAs: authority, ClientCAs: authority, ClientAuth: tls.RequireAndVerifyClientCert}, nil
}
