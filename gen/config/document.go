package config

// Version is the version of the form of the file that this package reads.
const Version = 1

// document is the file. Fields have a key, with the word required if there must be one, and what it is for, as editors show it.
type document struct {
	where
	Version    version    `key:"version,required" doc:"The version of the form of this file: 1."`
	Header     text       `key:"header" doc:"Text below the first lines of each generated file, such as a licence. Lines that are no comments become comments."`
	HeaderFile filePath   `key:"header-file" doc:"A file with the header."`
	Clean      bool       `key:"clean" doc:"Remove output of earlier runs that would not be generated any more."`
	Lock       filePath   `key:"lock" doc:"The file of the schemas that rwgen lock remembers; default is rwgen.lock beside go.mod. Its packages are named by their directories relative to that of the file."`
	Templates  []filePath `key:"templates" doc:"Files and directories of templates, which make further files of all records."`
	Go         *goInput   `key:"go" doc:"Go packages with records."`
	Schemas    []group    `key:"schemas" doc:"Schema files with records. Files that refer to one another belong into one group."`
}

// goInput is about Go packages.
type goInput struct {
	where
	Packages []pattern  `key:"packages" doc:"Package patterns as the go command takes them; default is the package beside this file."`
	Tags     []buildTag `key:"tags" doc:"Build tags."`
	Types    []goType   `key:"types" doc:"Struct types that are records without a directive."`
	Format   goFormat   `key:"format" doc:"The format of the records that types names; default is native."`
	Writers  []goWriter `key:"writers" doc:"Writers besides those of directives: Flight.ByOrigin key=Origin."`
	With     []withName `key:"with" doc:"What is generated for all records besides what their directives ask for."`
	Output   goFile     `key:"output" doc:"One file for all records, which must be in one package; default is a file for each source."`
}

// group is a group of schema files.
type group struct {
	where
	Files    []filePattern `key:"files,required" doc:"Names and patterns of schema files, relative to this file; ** stands for any number of directories."`
	Language language      `key:"language" doc:"The language of the files; default is what their extensions say."`
	Roots    []filePath    `key:"roots" doc:"Directories in which imports are looked for."`
	Format   formatName    `key:"format" doc:"The format of the records of the group: native, the default, or avro for Avro schemas."`
	With     []withName    `key:"with" doc:"What is generated for all records of the group besides what they ask for."`
	Packages []place       `key:"packages" doc:"Where the types of namespaces go; default is the directory of this file for all of them."`
	Records  []schemaType  `key:"records" doc:"The types that are records; default is all types that no other type of the group refers to."`
}

// place is a Go package for the types of a namespace.
type place struct {
	where
	Namespace *namespace `key:"namespace" doc:"A namespace of the schemas. org.usgs.* is org.usgs with all below that have no entry, * stands for all, which is the default."`
	Dir       filePath   `key:"dir" doc:"The directory of the Go package; default is that of this file."`
	Path      importPath `key:"path" doc:"The import path; default is what follows from the next go.mod above the directory."`
	Name      goName     `key:"name" doc:"The name of the package; default is that of the Go files in the directory, or else its last element."`
}

// schemaType is a type of a schema that is a record.
type schemaType struct {
	where
	Name         typeName       `key:"name,required" doc:"The full name in the schema, or the last part of it if that is unique in the group."`
	Writers      []recordWriter `key:"writers" doc:"Writers of the record: ByPlace key=Place."`
	With         []withName     `key:"with" doc:"What is generated besides serializer, writers and reader."`
	Format       formatName     `key:"format" doc:"The format of the record, native or avro; default is that of the group."`
	SingleObject bool           `key:"single-object" doc:"Write the marker and the fingerprint of Avro's single-object encoding before each record."`
}
