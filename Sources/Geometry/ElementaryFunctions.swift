// The standard library's names for the processor's and libm's functions: the very ones that `import Glibc` would
// forward to. Taken from where they are, so that pure modules need no C library's header; the package links libm.

@inline(__always) package func exponential(_ x: Double) -> Double { Swift._exp(x) }
@inline(__always) package func logarithm(_ x: Double) -> Double { Swift._log(x) }
@inline(__always) package func sine(_ x: Double) -> Double { Swift._sin(x) }
@inline(__always) package func cosine(_ x: Double) -> Double { Swift._cos(x) }
