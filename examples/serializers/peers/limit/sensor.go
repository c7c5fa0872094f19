package limit

import (
	"unsafe"

	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
)

// sensorSize is the data of a reading, which lies in memory without gaps before the last field. On a machine of the other byte order the bytes
// would be other ones, which does not matter here.
const sensorSize = unsafe.Offsetof(sensor.Record{}.Quality) + 1

func putSensor(dst []byte, v *sensor.Record) ([]byte, error) {
	if uintptr(len(dst)) < sensorSize {
		return nil, errShort
	}
	*(*[sensorSize]byte)(dst) = *(*[sensorSize]byte)(unsafe.Pointer(v))
	return dst[:sensorSize], nil
}

func getSensor(src []byte, v *sensor.Record) error {
	if uintptr(len(src)) != sensorSize || src[sensorSize-2] > 1 { // no bool
		return errCorrupt
	}
	*(*[sensorSize]byte)(unsafe.Pointer(v)) = *(*[sensorSize]byte)(src)
	return nil
}
