// Elementary functions of libm and the processor, declared by the symbols that the standard library uses for them, so
// that pure modules need no C header. The package links libm.

@inline(__always) package func exponential(_ x: Double) -> Double { Swift._exp(x) }
@inline(__always) package func logarithm(_ x: Double) -> Double { Swift._log(x) }
@inline(__always) package func sine(_ x: Double) -> Double { Swift._sin(x) }
@inline(__always) package func cosine(_ x: Double) -> Double { Swift._cos(x) }
