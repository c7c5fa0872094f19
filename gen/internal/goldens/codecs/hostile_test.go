package codecs

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestEntityHostile(t *testing.T) { check.Hostile(t, EntitySerializer{}, NewEntityReader, world...) }
func TestLockHostile(t *testing.T)   { check.Hostile(t, LockSerializer{}, NewLockReader, lock) }
func TestVersionedHostile(t *testing.T) {
	check.Hostile(t, VersionedSerializer{}, NewVersionedReader, world...)
}

func FuzzEntity(f *testing.F) { check.Fuzz(f, EntitySerializer{}, world...) }
func FuzzLock(f *testing.F)   { check.Fuzz(f, LockSerializer{}, lock) }
