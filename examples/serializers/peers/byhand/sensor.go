package byhand

import (
	"unsafe"

	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/runtime/wire"
)

// The numbers of a reading lie on the wire as in the memory of machines with the lowest byte first: the presence bits are in front of them, and the quality is behind.
const (
	sensorNumbers = unsafe.Offsetof(sensor.Record{}.Valid)
	sensorSize    = 1 + sensorNumbers + 1
)

func putSensor(dst []byte, v *sensor.Record) ([]byte, error) {
	if uintptr(len(dst)) < sensorSize {
		return nil, wire.ErrShort
	}
	dst = dst[:sensorSize]
	dst[0] = 0
	if v.Valid {
		dst[0] = 1
	}
	*(*[sensorNumbers]byte)(dst[1:]) = *(*[sensorNumbers]byte)(unsafe.Pointer(v))
	dst[sensorSize-1] = v.Quality
	return dst, nil
}

func getSensor(src []byte, v *sensor.Record) error {
	if uintptr(len(src)) != sensorSize || src[0] > 1 {
		n, err := sensor.RecordSerializer{}.Consume(src, v)
		return whole(n, err, src)
	}
	*(*[sensorNumbers]byte)(unsafe.Pointer(v)) = *(*[sensorNumbers]byte)(src[1:])
	v.Valid, v.Quality = src[0] == 1, src[sensorSize-1]
	return nil
}
