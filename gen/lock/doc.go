// Package lock reads, writes and compares rwgen.lock, the file that remembers the schemas of a module's records.
//
// The file stands beside go.mod. After a first line that says what it is, there is one line for each record, sorted:
//
//	# rwgen.lock, version 1: package, record, fingerprint and schema of each record; rwgen lock writes it, commit it.
//	. Flight 8a3f0c9d52e1b764 rwgen/1 Flight{Origin string,Delay i32}
//	internal/shop Order 01d2a4c0ffee1234 rwgen/1 Order{ID u64}
//
// The package is its path below the module, "." for the module's root; the record is the name that its generated identifiers begin with. Records of test
// files are not in it: nobody keeps their data. Branches that change different records change different lines.
//
// [Parse] is strict: whatever it accepts, [File.Bytes] writes again byte for byte. [Merge] reads what version control has left after a merge,
// conflict markers included. [Breaking] says which changes since the lock keep data from being read.
//
// Functions of this package may be called from several goroutines at the same time; a [File] belongs to one.
package lock
