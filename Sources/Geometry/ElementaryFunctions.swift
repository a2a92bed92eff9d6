// Elementary functions, called through the standard library's own underscored declarations, so that modules need not
// import C for them. The package links libm.

@inline(__always) package func exponential(_ x: Double) -> Double { Swift._exp(x) }
@inline(__always) package func logarithm(_ x: Double) -> Double { Swift._log(x) }
@inline(__always) package func sine(_ x: Double) -> Double { Swift._sin(x) }
@inline(__always) package func cosine(_ x: Double) -> Double { Swift._cos(x) }
