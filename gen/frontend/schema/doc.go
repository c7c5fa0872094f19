// Package schema is what frontends for schema languages have in common: what they are asked for, the Go names of what schemas declare, and the writers of their records.
package schema
