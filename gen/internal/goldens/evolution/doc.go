// Package evolution tests that two versions of records, in the packages v1 and v2, can be read as each other.
package evolution
