package main

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/twmb/avro"

	"github.com/rwgen/rwgen/examples/schema/quakes"
)

//go:embed schemas/quake.avsc
var quakeSchema string

// sendAvro sends the events in Avro's binary encoding. What arrives is decoded by the reference library, and by the generated code, which must agree with it.
func sendAvro(ctx context.Context, events []event) (traffic, error) {
	reference, err := avro.Parse(quakeSchema)
	if err != nil {
		return traffic{}, err
	}
	records := make([]*quakes.Quake, len(events))
	byID := make(map[string]*quakes.Quake, len(events))
	for i := range events {
		if records[i], err = toAvro(&events[i]); err != nil {
			return traffic{}, err
		}
		byID[events[i].ID] = records[i]
	}
	return send(ctx, events, records, quakes.NewQuakeByNetWriter, quakes.NewQuakeReader, func(payload []byte) (event, error) {
		var e event
		rest, err := reference.Decode(payload, &e)
		if err == nil && len(rest) > 0 {
			err = fmt.Errorf("%d bytes are left of %d", len(rest), len(payload))
		}
		if err != nil {
			return e, err
		}
		var serializer quakes.QuakeSerializer
		var q quakes.Quake
		if _, err := serializer.Consume(payload, &q); err != nil {
			return e, err
		}
		if !serializer.Equal(&q, byID[e.ID]) {
			return e, fmt.Errorf("event %q differs in the generated code: %+v", e.ID, q)
		}
		return e, nil
	})
}

func toAvro(e *event) (*quakes.Quake, error) {
	status, err := quakes.ParseStatus(e.Status)
	if err != nil {
		return nil, fmt.Errorf("event %q: %w", e.ID, err)
	}
	q := &quakes.Quake{
		ID: e.ID, Time: e.Time, Updated: e.Updated, TzMinutes: e.TZMinutes, Place: e.Place,
		Location: quakes.Point(e.Location), Magnitude: quakes.Magnitude(e.Magnitude), Kind: e.Kind, Status: status,
		Felt: (*quakes.Felt)(e.Felt), Shaking: e.Shaking, Tsunami: e.Tsunami, Significance: e.Significance, Net: e.Net, Sources: e.Sources,
		Quality: quakes.Quality{Stations: e.Quality.Stations, NearestDegrees: e.Quality.NearestDegrees, RmsSeconds: e.Quality.RMSSeconds, GapDegrees: e.Quality.GapDegrees},
		Links:   e.Links,
	}
	if e.Alert != nil {
		alert, err := quakes.ParseAlert(*e.Alert)
		if err != nil {
			return nil, fmt.Errorf("event %q: %w", e.ID, err)
		}
		q.Alert = &alert
	}
	return q, nil
}
