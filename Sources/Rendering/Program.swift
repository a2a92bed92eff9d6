import CGLES

/// A linked program and the places of its uniforms. Main thread, its context current, to the end.
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
    let lift: GLint
    let strength: GLint
    let startColor: GLint
    let endColor: GLint
    let ramp: GLint
    let caster: GLint

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
        lift = glGetUniformLocation(program, "lift")
        strength = glGetUniformLocation(program, "strength")
        startColor = glGetUniformLocation(program, "startColor")
        endColor = glGetUniformLocation(program, "endColor")
        ramp = glGetUniformLocation(program, "ramp")
        caster = glGetUniformLocation(program, "caster")
        // The planes' units never change. A location of -1 (no such uniform in this variant) is ignored by GL.
        glUseProgram(program)
        glUniform1i(glGetUniformLocation(program, "lumaPlane"), 0)
        glUniform1i(glGetUniformLocation(program, "firstChromaPlane"), 1)
        glUniform1i(glGetUniformLocation(program, "secondChromaPlane"), 2)
    }

    deinit { glDeleteProgram(name) }
}

/// A compiled shader, needed only until its program is linked.
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
