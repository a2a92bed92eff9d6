import Testing

@testable import GlissadeRendering

/// GLSL ES has samplers fetch with low precision unless it is told otherwise; what tests draw with does not care.
@Suite("Sampler precision")
struct SamplerPrecisionTests {
    @Test(
        "Planes of more than 8 bits are sampled with high precision",
        arguments: [(ProgramVariant.Kind.planar, 3), (.semiPlanar, 2), (.gray, 1)])
    func precision(kind: ProgramVariant.Kind, planes: Int) {
        let text = ProgramVariant(kind).fragmentText
        let samplers = text.split(separator: "\n").filter { $0.hasPrefix("uniform") && $0.contains("sampler") }
        // All of the file: what is not defined is in it, too.
        #expect(samplers.count >= planes)
        #expect(samplers.allSatisfy { $0.hasPrefix("uniform highp sampler2D ") }, "\(samplers)")
    }
}
