package gate

// Option configures a reader.
type Option interface{ apply(*options) }

type options struct{ name string }

type option func(*options)

func (f option) apply(o *options) { f(o) }

// WithName names the reader in metrics.
func WithName(name string) Option { return option(func(o *options) { o.name = name }) }
