import GlissadeCGLES

/// A linked program and its uniform locations. A location is -1 if the program lacks the uniform.
///
/// Threads: any thread that holds `RenderLock`. A context that shares the program must be current when the program is
/// used and released.
final class Program {
    let name: GLuint
    let rectangle: GLint
    let toPicture: GLint
    let lumaScale: GLint
    let chromaPlacement: GLint
    let conversion: GLint
    let fillColor: GLint
    let area: GLint
    let toPlace: GLint
    let outline: GLint
    let gain: GLint
    let opacity: GLint
    let brightnessOffset: GLint
    let strength: GLint
    let startColor: GLint
    let endColor: GLint
    let ramp: GLint
    let caster: GLint
    /// All active uniforms, including samplers.
    private let uniforms: [Uniform]
    private var switches: Int?
    private var unsetValue: GLfloat = -2e30

    private struct Uniform {
        var location: GLint
        var type: GLenum
    }

    /// Compiles and links the program of a variant, and makes it the current program.
    ///
    /// - Throws: `shader` with the driver's log.
    init(_ variant: ProgramVariant) throws(RenderingError) {
        let vertex = try Shader(GL_VERTEX_SHADER, variant.vertexText, name: "quad.vert (\(variant.name))")
        let fragment = try Shader(GL_FRAGMENT_SHADER, variant.fragmentText, name: "fragment (\(variant.name))")
        let program = glCreateProgram()
        glAttachShader(program, vertex.name)
        glAttachShader(program, fragment.name)
        glLinkProgram(program)
        var isLinked: GLint = 0
        glGetProgramiv(program, GLenum(GL_LINK_STATUS), &isLinked)
        guard isLinked != 0 else {
            let log = Shader.log(of: program, glGetProgramiv, glGetProgramInfoLog)
            glDeleteProgram(program)
            throw .shader(name: variant.name, log: log)
        }
        name = program
        rectangle = glGetUniformLocation(program, "rectangle")
        toPicture = glGetUniformLocation(program, "toPicture")
        lumaScale = glGetUniformLocation(program, "lumaScale")
        chromaPlacement = glGetUniformLocation(program, "chromaPlacement")
        conversion = glGetUniformLocation(program, "conversion")
        fillColor = glGetUniformLocation(program, "fillColor")
        area = glGetUniformLocation(program, "area")
        toPlace = glGetUniformLocation(program, "toPlace")
        outline = glGetUniformLocation(program, "outline")
        gain = glGetUniformLocation(program, "gain")
        opacity = glGetUniformLocation(program, "opacity")
        brightnessOffset = glGetUniformLocation(program, "brightnessOffset")
        strength = glGetUniformLocation(program, "strength")
        startColor = glGetUniformLocation(program, "startColor")
        endColor = glGetUniformLocation(program, "endColor")
        ramp = glGetUniformLocation(program, "ramp")
        caster = glGetUniformLocation(program, "caster")
        uniforms = Self.uniforms(of: program)
        // The texture units of the planes never change. GL ignores -1, the location of a uniform that this variant
        // lacks.
        glUseProgram(program)
        glUniform1i(glGetUniformLocation(program, "lumaPlane"), 0)
        glUniform1i(glGetUniformLocation(program, "firstChromaPlane"), 1)
        glUniform1i(glGetUniformLocation(program, "secondChromaPlane"), 2)
    }

    deinit { GLContext.use { glDeleteProgram(name) } }

    /// Makes this the current program.
    ///
    /// Contexts that share a program also share its uniform values. Mesa 22.3 ignores a call that sets a uniform to its
    /// present value, even if another context has set that value and the current context last drew with a different
    /// one. As a workaround, all uniforms except samplers are set to a dummy value when the program is first used after
    /// a context switch.
    ///
    /// - Parameter switches: The number of context switches so far (`GLContext.switches`).
    func use(_ switches: Int) {
        glUseProgram(name)
        guard switches != self.switches else { return }
        if self.switches != nil { unset() }
        self.switches = switches
    }

    /// Sets all uniforms except samplers to a dummy value, which differs from that of the previous call.
    private func unset() {
        unsetValue = unsetValue == -1e30 ? -2e30 : -1e30
        let value = unsetValue
        withUnsafeTemporaryAllocation(of: GLfloat.self, capacity: 16) { values in
            values.initialize(repeating: value)
            let from = UnsafePointer(values.baseAddress)
            for uniform in uniforms {
                switch Int32(uniform.type) {
                case GL_FLOAT: glUniform1fv(uniform.location, 1, from)
                case GL_FLOAT_VEC2: glUniform2fv(uniform.location, 1, from)
                case GL_FLOAT_VEC3: glUniform3fv(uniform.location, 1, from)
                case GL_FLOAT_VEC4: glUniform4fv(uniform.location, 1, from)
                case GL_FLOAT_MAT3x2: glUniformMatrix3x2fv(uniform.location, 1, GLboolean(GL_FALSE), from)
                case GL_FLOAT_MAT4x3: glUniformMatrix4x3fv(uniform.location, 1, GLboolean(GL_FALSE), from)
                default: break
                }
            }
        }
    }

    private static func uniforms(of program: GLuint) -> [Uniform] {
        var count: GLint = 0
        glGetProgramiv(program, GLenum(GL_ACTIVE_UNIFORMS), &count)
        return (0..<max(count, 0)).map { index in
            var (length, size, type): (GLsizei, GLint, GLenum) = (0, 0, 0)
            let location = withUnsafeTemporaryAllocation(of: GLchar.self, capacity: 256) { name in
                glGetActiveUniform(
                    program, GLuint(index), GLsizei(name.count), &length, &size, &type, name.baseAddress)
                return glGetUniformLocation(program, name.baseAddress)
            }
            return Uniform(location: location, type: type)
        }
    }
}

/// A compiled shader. Needed only until its program is linked.
private struct Shader: ~Copyable {
    let name: GLuint

    init(_ stage: Int32, _ text: String, name label: String) throws(RenderingError) {
        let shader = glCreateShader(GLenum(stage))
        text.withCString { characters in
            var line: UnsafePointer<GLchar>? = characters
            glShaderSource(shader, 1, &line, nil)
        }
        glCompileShader(shader)
        var isCompiled: GLint = 0
        glGetShaderiv(shader, GLenum(GL_COMPILE_STATUS), &isCompiled)
        guard isCompiled != 0 else {
            let log = Self.log(of: shader, glGetShaderiv, glGetShaderInfoLog)
            glDeleteShader(shader)
            throw .shader(name: label, log: log)
        }
        name = shader
    }

    deinit { glDeleteShader(name) }

    static func log(
        of object: GLuint, _ get: (GLuint, GLenum, UnsafeMutablePointer<GLint>?) -> Void,
        _ read: (GLuint, GLsizei, UnsafeMutablePointer<GLsizei>?, UnsafeMutablePointer<GLchar>?) -> Void
    ) -> String {
        var capacity: GLint = 0
        get(object, GLenum(GL_INFO_LOG_LENGTH), &capacity)
        guard capacity > 1 else { return "no log" }
        var length: GLsizei = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(capacity)) { buffer, count in
            buffer.withMemoryRebound(to: GLchar.self) { read(object, capacity, &length, $0.baseAddress) }
            count = Int(length)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
