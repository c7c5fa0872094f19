// Package order is the shape of nested records: an order with its lines, their tags, a map and an optional address.
package order
