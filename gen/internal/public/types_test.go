package public_test

// publicType is a type of a public module.
type publicType struct {
	name string // of the package that is made for it
	path string // import path
	expr string
	// want is a part of the diagnostic that the type deserves; empty if it has an encoding.
	want string
}

// types are the types, and what each shows.
var types = []publicType{
	// Types with encodings of their own.
	{"googleuuid", "github.com/google/uuid", "uuid.UUID", ""},
	{"gofrsuuid", "github.com/gofrs/uuid/v5", "uuid.NullUUID", ""},
	{"ulid", "github.com/oklog/ulid/v2", "ulid.ULID", ""},
	{"xid", "github.com/rs/xid", "xid.ID", ""},
	{"decimal", "github.com/shopspring/decimal", "decimal.Decimal", ""},
	{"nulldecimal", "github.com/shopspring/decimal", "decimal.NullDecimal", ""},
	{"semver", "github.com/Masterminds/semver/v3", "semver.Version", ""},
	{"language", "golang.org/x/text/language", "language.Tag", ""},
	// Structures of cloud services, orchestration and containers.
	{"objectmeta", "k8s.io/apimachinery/pkg/apis/meta/v1", "v1.ObjectMeta", ""},
	{"labelselector", "k8s.io/apimachinery/pkg/apis/meta/v1", "v1.LabelSelector", ""},
	{"condition", "k8s.io/apimachinery/pkg/apis/meta/v1", "v1.Condition", ""},
	{"intstr", "k8s.io/apimachinery/pkg/util/intstr", "intstr.IntOrString", ""},
	{"s3event", "github.com/aws/aws-lambda-go/events", "events.S3Event", ""},
	{"sqsmessage", "github.com/aws/aws-lambda-go/events", "events.SQSMessage", ""},
	{"kinesis", "github.com/aws/aws-lambda-go/events", "events.KinesisEvent", ""},
	{"cloudwatch", "github.com/aws/aws-lambda-go/events", "events.CloudWatchEvent", ""},
	{"descriptor", "github.com/opencontainers/image-spec/specs-go/v1", "v1.Descriptor", ""},
	{"manifest", "github.com/opencontainers/image-spec/specs-go/v1", "v1.Manifest", ""},
	{"ociprocess", "github.com/opencontainers/runtime-spec/specs-go", "specs.Process", ""},
	// Observability.
	{"promsample", "github.com/prometheus/common/model", "model.Sample", ""},
	{"promalert", "github.com/prometheus/common/model", "model.Alert", ""},
	{"zapentry", "go.uber.org/zap/zapcore", "zapcore.Entry", ""},
	// Databases, names and places.
	{"pgnumeric", "github.com/jackc/pgx/v5/pgtype", "pgtype.Numeric", ""},
	{"pgtimestamp", "github.com/jackc/pgx/v5/pgtype", "pgtype.Timestamptz", ""},
	{"pginterval", "github.com/jackc/pgx/v5/pgtype", "pgtype.Interval", ""},
	{"dnsmx", "github.com/miekg/dns", "dns.MX", ""},
	{"jwtclaims", "github.com/golang-jwt/jwt/v5", "jwt.RegisteredClaims", ""},
	{"polygon", "github.com/paulmach/orb", "orb.MultiPolygon", ""},
	{"latlng", "github.com/golang/geo/s2", "s2.LatLng", ""},
	// What has no encoding, and says why.
	{"ocispec", "github.com/opencontainers/runtime-spec/specs-go", "specs.Spec", "Windows.CredentialSpec: an interface"},
	{"quantity", "k8s.io/apimachinery/pkg/api/resource", "resource.Quantity", "has fields that package resource does not export"},
	{"podspec", "k8s.io/api/core/v1", "v1.PodSpec", "has fields that package resource does not export"},
	{"timestamp", "google.golang.org/protobuf/types/known/timestamppb", "timestamppb.Timestamp", "has fields that package timestamppb does not export"},
	{"otlp", "go.opentelemetry.io/proto/otlp/common/v1", "v1.KeyValue", "has fields that package v1 does not export"},
	{"gnmi", "github.com/openconfig/gnmi/proto/gnmi", "gnmi.Notification", "has fields that package gnmi does not export"},
	{"attribute", "go.opentelemetry.io/otel/attribute", "attribute.KeyValue", "has fields that package attribute does not export"},
	{"geojson", "github.com/paulmach/orb/geojson", "geojson.Feature", "an interface"},
}
