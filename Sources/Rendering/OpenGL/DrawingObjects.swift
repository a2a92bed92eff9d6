import GlissadeCGLES

/// The programs and samplers of compositors whose contexts share objects.
///
/// Threads: any thread that holds `RenderLock`. One of these contexts must be current when the objects are used and
/// released.
final class DrawingObjects {
    let linear = Sampler(filter: GL_LINEAR)
    let nearest = Sampler(filter: GL_NEAREST)
    let mipmapped = Sampler(filter: GL_LINEAR, shrinking: GL_LINEAR_MIPMAP_LINEAR)
    private var programs: [ProgramVariant: Program] = [:]

    /// Makes the program for a variant current, and returns it. The program is compiled when it is first needed.
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
