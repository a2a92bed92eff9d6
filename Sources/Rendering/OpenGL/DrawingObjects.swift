import CGLES

/// What compositors of contexts that share objects have in common: programs, compiled once, and samplers. Main thread,
/// one of these contexts current, to the end.
@MainActor final class DrawingObjects {
    let linear = Sampler(filter: GL_LINEAR)
    let nearest = Sampler(filter: GL_NEAREST)
    let mipmapped = Sampler(filter: GL_LINEAR, shrinking: GL_LINEAR_MIPMAP_LINEAR)
    private var programs: [ProgramVariant: Program] = [:]

    isolated deinit {}  // What it owns is freed on the main thread.

    /// The program for a variant, made when it is first needed, and in use on return.
    func use(_ variant: ProgramVariant) throws(RenderingError) -> Program {
        if let program = programs[variant] {
            program.use(GLContext.switches)
            return program
        }
        let program = try Program(variant)
        programs[variant] = program
        program.use(GLContext.switches)
        return program
    }
}
