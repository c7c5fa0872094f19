package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// event is an earthquake apart from all schemas. The tags are for the reference library of Avro.
type event struct {
	ID           string            `avro:"id"`
	Time         time.Time         `avro:"time"`
	Updated      time.Time         `avro:"updated"`
	TZMinutes    int32             `avro:"tz_minutes"`
	Place        string            `avro:"place"`
	Location     point             `avro:"location"`
	Magnitude    magnitude         `avro:"magnitude"`
	Kind         string            `avro:"kind"`
	Status       string            `avro:"status"` // AUTOMATIC or REVIEWED
	Alert        *string           `avro:"alert"`  // GREEN, YELLOW, ORANGE, RED
	Felt         *felt             `avro:"felt"`
	Shaking      *float64          `avro:"shaking"`
	Tsunami      bool              `avro:"tsunami"`
	Significance int32             `avro:"significance"`
	Net          string            `avro:"net"`
	Sources      []string          `avro:"sources"`
	Quality      quality           `avro:"quality"`
	Links        map[string]string `avro:"links"`
}

type point struct {
	Longitude float64 `avro:"longitude"`
	Latitude  float64 `avro:"latitude"`
	DepthKm   float64 `avro:"depth_km"`
}

type magnitude struct {
	Value float64 `avro:"value"`
	Scale string  `avro:"scale"`
}

type felt struct {
	Reports   int32   `avro:"reports"`
	Intensity float64 `avro:"intensity"`
}

type quality struct {
	Stations       *int32   `avro:"stations"`
	NearestDegrees *float64 `avro:"nearest_degrees"`
	RMSSeconds     *float64 `avro:"rms_seconds"`
	GapDegrees     *float64 `avro:"gap_degrees"`
}

//go:embed data/earthquakes.json
var embedded []byte

// feature is an event as the feed has it.
type feature struct {
	ID         string
	Properties struct {
		Mag            float64
		Place          string
		Time, Updated  int64 // milliseconds since 1970
		TZ             int32
		URL, Detail    string
		Felt           *int32
		CDI, MMI       *float64
		Alert          *string
		Status         string
		Tsunami        int
		Sig            int32
		Net, Sources   string
		Nst            *int32
		Dmin, RMS, Gap *float64
		MagType, Type  string
	}
	Geometry struct{ Coordinates []float64 }
}

// readEvents reads a file, or the embedded data.
func readEvents(name string) ([]event, error) {
	content := embedded
	if name != "" {
		var err error
		if content, err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	var feed struct{ Features []feature }
	if err := json.Unmarshal(content, &feed); err != nil {
		return nil, fmt.Errorf("%s is no summary of earthquakes: %w", name, err)
	}
	events := make([]event, len(feed.Features))
	for i := range feed.Features {
		f := &feed.Features[i]
		if len(f.Geometry.Coordinates) != 3 {
			return nil, fmt.Errorf("event %d, %q: %d coordinates in place of 3", i+1, f.ID, len(f.Geometry.Coordinates))
		}
		events[i] = f.event()
	}
	return events, nil
}

func (f *feature) event() event {
	p := &f.Properties
	e := event{
		ID: f.ID, Time: time.UnixMilli(p.Time).UTC(), Updated: time.UnixMilli(p.Updated).UTC(), TZMinutes: p.TZ, Place: p.Place,
		Location:  point{f.Geometry.Coordinates[0], f.Geometry.Coordinates[1], f.Geometry.Coordinates[2]},
		Magnitude: magnitude{p.Mag, p.MagType},
		Kind:      p.Type, Status: strings.ToUpper(p.Status), Shaking: p.MMI, Tsunami: p.Tsunami != 0, Significance: p.Sig, Net: p.Net,
		Sources: strings.Split(strings.Trim(p.Sources, ","), ","),
		Quality: quality{p.Nst, p.Dmin, p.RMS, p.Gap},
		Links:   map[string]string{"event": p.URL, "detail": p.Detail},
	}
	if p.Alert != nil {
		alert := strings.ToUpper(*p.Alert)
		e.Alert = &alert
	}
	if p.Felt != nil && p.CDI != nil {
		e.Felt = &felt{*p.Felt, *p.CDI}
	}
	return e
}
