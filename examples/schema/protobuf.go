package main

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/rwgen/rwgen/examples/schema/quakepb"
)

// sendProtobuf sends the events as Protobuf messages. What arrives is decoded by the reference library.
func sendProtobuf(ctx context.Context, events []event) (traffic, error) {
	records := make([]*quakepb.Quake, len(events))
	for i := range events {
		var err error
		if records[i], err = toProtobuf(&events[i]); err != nil {
			return traffic{}, err
		}
	}
	return send(ctx, events, records, quakepb.NewEventByNetWriter, quakepb.NewEventReader, func(payload []byte) (event, error) {
		var q quakepb.Quake
		if err := proto.Unmarshal(payload, &q); err != nil {
			return event{}, err
		}
		if n := len(q.ProtoReflect().GetUnknown()); n > 0 {
			return event{}, fmt.Errorf("event %q has %d bytes of unknown fields", q.Id, n)
		}
		return fromProtobuf(&q), nil
	})
}

// The symbols of the schema's enums have the name of the enum in front.
const (
	statusPrefix = "STATUS_"
	alertPrefix  = "ALERT_"
)

func toProtobuf(e *event) (*quakepb.Quake, error) {
	status, ok := quakepb.Status_value[statusPrefix+e.Status]
	if !ok {
		return nil, fmt.Errorf("event %q has the status %q", e.ID, e.Status)
	}
	q := &quakepb.Quake{
		Id: e.ID, Time: timestamppb.New(e.Time), Updated: timestamppb.New(e.Updated), TzMinutes: e.TZMinutes, Place: e.Place,
		Location:  &quakepb.Quake_Point{Longitude: e.Location.Longitude, Latitude: e.Location.Latitude, DepthKm: e.Location.DepthKm},
		Magnitude: &quakepb.Quake_Magnitude{Value: e.Magnitude.Value, Scale: e.Magnitude.Scale},
		Kind:      e.Kind, Status: quakepb.Status(status), Shaking: e.Shaking, Tsunami: e.Tsunami, Significance: e.Significance, Net: e.Net, Sources: e.Sources,
		Quality: &quakepb.Quake_Quality{
			Stations: e.Quality.Stations, NearestDegrees: e.Quality.NearestDegrees, RmsSeconds: e.Quality.RMSSeconds, GapDegrees: e.Quality.GapDegrees,
		},
		Links: e.Links,
	}
	if e.Alert != nil {
		alert, ok := quakepb.Alert_value[alertPrefix+*e.Alert]
		if !ok {
			return nil, fmt.Errorf("event %q has the alert %q", e.ID, *e.Alert)
		}
		q.Alert = quakepb.Alert(alert).Enum()
	}
	if e.Felt != nil {
		q.Felt = &quakepb.Quake_Felt{Reports: e.Felt.Reports, Intensity: e.Felt.Intensity}
	}
	return q, nil
}

func fromProtobuf(q *quakepb.Quake) event {
	e := event{
		ID: q.Id, Time: q.Time.AsTime(), Updated: q.Updated.AsTime(), TZMinutes: q.TzMinutes, Place: q.Place,
		Location:  point{q.Location.GetLongitude(), q.Location.GetLatitude(), q.Location.GetDepthKm()},
		Magnitude: magnitude{q.Magnitude.GetValue(), q.Magnitude.GetScale()},
		Kind:      q.Kind, Status: strings.TrimPrefix(q.Status.String(), statusPrefix), Shaking: q.Shaking, Tsunami: q.Tsunami, Significance: q.Significance,
		Net: q.Net, Sources: q.Sources, Links: q.Links,
	}
	if q.Quality != nil {
		e.Quality = quality{q.Quality.Stations, q.Quality.NearestDegrees, q.Quality.RmsSeconds, q.Quality.GapDegrees}
	}
	if q.Alert != nil {
		alert := strings.TrimPrefix(q.Alert.String(), alertPrefix)
		e.Alert = &alert
	}
	if q.Felt != nil {
		e.Felt = &felt{q.Felt.Reports, q.Felt.Intensity}
	}
	return e
}
