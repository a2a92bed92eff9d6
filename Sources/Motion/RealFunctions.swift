// The standard library's names for the processor's and libm's functions: the very ones that `import Glibc` would
// forward to. Taken from where they are, so that this module needs no C library's header; the package links libm.

@inline(__always) func exponential(_ x: Double) -> Double { Swift._exp(x) }
@inline(__always) func sine(_ x: Double) -> Double { Swift._sin(x) }
@inline(__always) func cosine(_ x: Double) -> Double { Swift._cos(x) }
