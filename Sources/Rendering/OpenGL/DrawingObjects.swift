import CGLES

/// Programs and samplers, shared by compositors whose contexts share objects. Main thread. One of these contexts must
/// be current when it is used and released.
@MainActor final class DrawingObjects {
    let linear = Sampler(filter: GL_LINEAR)
    let nearest = Sampler(filter: GL_NEAREST)
    let mipmapped = Sampler(filter: GL_LINEAR, shrinking: GL_LINEAR_MIPMAP_LINEAR)
    private var programs: [ProgramVariant: Program] = [:]

    isolated deinit {}  // Its objects must be freed on the main thread.

    /// Returns the program for a variant, already in use. It is compiled when it is first needed.
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
