package avro

// The schemas, in which both peers write the same bytes but for blocks of arrays and maps. Avro has no unsigned integers: 64 bits go as long.
const (
	smallSchema = `{"type":"record","name":"Small","fields":[
	{"name":"Name","type":"string"},
	{"name":"BirthDay","type":"long"},
	{"name":"Phone","type":"string"},
	{"name":"Siblings","type":"int"},
	{"name":"Spouse","type":"boolean"},
	{"name":"Money","type":"double"}]}`
	sensorSchema = `{"type":"record","name":"Sensor","fields":[
	{"name":"Device","type":"long"},
	{"name":"Sequence","type":"long"},
	{"name":"X","type":"int"},
	{"name":"Y","type":"int"},
	{"name":"Temperature","type":"double"},
	{"name":"Pressure","type":"double"},
	{"name":"Humidity","type":"double"},
	{"name":"Voltage","type":"double"},
	{"name":"Latitude","type":"double"},
	{"name":"Longitude","type":"double"},
	{"name":"Valid","type":"boolean"},
	{"name":"Quality","type":"int"}]}`
	orderSchema = `{"type":"record","name":"Order","fields":[
	{"name":"ID","type":"long"},
	{"name":"Customer","type":"string"},
	{"name":"Created","type":"long"},
	{"name":"Lines","type":{"type":"array","items":{"type":"record","name":"Line","fields":[
	{"name":"SKU","type":"string"},
	{"name":"Qty","type":"int"},
	{"name":"Price","type":"double"},
	{"name":"Tags","type":{"type":"array","items":"string"}}]}}},
	{"name":"Attributes","type":{"type":"map","values":"string"}},
	{"name":"Address","type":["null",{"type":"record","name":"Address","fields":[
	{"name":"Street","type":"string"},
	{"name":"City","type":"string"},
	{"name":"Country","type":"string"}]}]}]}`
	textSchema = `{"type":"record","name":"Text","fields":[
	{"name":"Text","type":"string"},
	{"name":"Data","type":"bytes"},
	{"name":"Time","type":"long"}]}`
)
