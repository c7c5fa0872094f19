// Package templates keeps tables of PostgreSQL, and the Go code that fills them, in step with the records of a program: both are made by the templates in the
// directory sql, which are yours to copy and to change.
//
//	rows, err := OrderValues(&order)              // one value for each of OrderColumns
//	_, err = db.ExecContext(ctx, OrderInsert, rows...)
//
// README.md says how; rwgen's page templates/MODEL.md what templates are.
package templates
