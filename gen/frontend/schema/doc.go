// Package schema is what frontends for schema languages have in common: what they are asked for, the Go names of what schemas declare, which types are records, and their writers.
//
//	types, code := schema.OutputNames("org.usgs.Quake.avsc") // org_usgs_quake_types.go, org_usgs_quake_rw.go
//	schema.GoName("quake_id")                                // QuakeID
//
// A frontend is a [Load]. It reads its language, asks [Config.Choose] for the records and [Config.PackageOf] for the Go package of each type, declares names in a [Scope] for each package, and adds
// writers with [AddWriters]. Sizes and recursion are found out in the end, by [Sizer] and [ir.MarkRecursive].
package schema
