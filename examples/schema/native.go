package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/rwgen/rwgen/examples/schema/messages"
)

// sendNative sends the events as records of rwgen's own format, whose types come from the Protobuf schema.
func sendNative(ctx context.Context, events []event) (traffic, error) {
	records := make([]*messages.Quake, len(events))
	for i := range events {
		var err error
		if records[i], err = toMessage(&events[i]); err != nil {
			return traffic{}, err
		}
	}
	return send(ctx, events, records, messages.NewQuakeByNetWriter, messages.NewQuakeReader, decodeNative)
}

func decodeNative(payload []byte) (event, error) {
	var q messages.Quake
	if _, err := (messages.QuakeSerializer{}).Consume(payload, &q); err != nil {
		return event{}, err
	}
	return fromMessage(&q), nil
}

func toMessage(e *event) (*messages.Quake, error) {
	status, err := messages.ParseStatus(statusPrefix + e.Status)
	if err != nil {
		return nil, fmt.Errorf("event %q: %w", e.ID, err)
	}
	location, strength := messages.QuakePoint(e.Location), messages.QuakeMagnitude(e.Magnitude)
	q := &messages.Quake{
		ID: e.ID, Time: &e.Time, Updated: &e.Updated, TzMinutes: e.TZMinutes, Place: e.Place, Location: &location, Magnitude: &strength,
		Kind: e.Kind, Status: status, Felt: (*messages.QuakeFelt)(e.Felt), Shaking: e.Shaking, Tsunami: e.Tsunami, Significance: e.Significance,
		Net: e.Net, Sources: e.Sources, Links: e.Links,
		Quality: &messages.QuakeQuality{
			Stations: e.Quality.Stations, NearestDegrees: e.Quality.NearestDegrees, RmsSeconds: e.Quality.RMSSeconds, GapDegrees: e.Quality.GapDegrees,
		},
	}
	if e.Alert != nil {
		alert, err := messages.ParseAlert(alertPrefix + *e.Alert)
		if err != nil {
			return nil, fmt.Errorf("event %q: %w", e.ID, err)
		}
		q.Alert = &alert
	}
	return q, nil
}

func fromMessage(q *messages.Quake) event {
	e := event{
		ID: q.ID, Time: *q.Time, Updated: *q.Updated, TZMinutes: q.TzMinutes, Place: q.Place, Location: point(*q.Location), Magnitude: magnitude(*q.Magnitude),
		Kind: q.Kind, Status: strings.TrimPrefix(q.Status.String(), statusPrefix), Felt: (*felt)(q.Felt), Shaking: q.Shaking, Tsunami: q.Tsunami,
		Significance: q.Significance, Net: q.Net, Sources: q.Sources, Links: q.Links,
		Quality: quality{q.Quality.Stations, q.Quality.NearestDegrees, q.Quality.RmsSeconds, q.Quality.GapDegrees},
	}
	if q.Alert != nil {
		alert := strings.TrimPrefix(q.Alert.String(), alertPrefix)
		e.Alert = &alert
	}
	return e
}
