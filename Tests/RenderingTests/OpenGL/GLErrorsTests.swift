import GlissadeCGLES
import Testing

@testable import GlissadeRendering

/// What earlier calls have left behind.
@Suite("OpenGL errors")
struct GLErrorsTests {
    @Test("OpenGL errors are discarded until none is left")
    func discarded() {
        var errors = [GL_INVALID_ENUM, GL_OUT_OF_MEMORY, GL_NO_ERROR, GL_INVALID_VALUE].map { GLenum($0) }
        GLErrors.discard { errors.removeFirst() }
        #expect(errors == [GLenum(GL_INVALID_VALUE)])
    }

    @Test("A context that reports errors for ever does not block the program")
    func endless() {
        var calls = 0
        GLErrors.discard {
            calls += 1
            return GLenum(GL_INVALID_OPERATION)
        }
        #expect(calls == GLErrors.limit)
    }

    @Test("Only out-of-memory and a lost context count as failures", arguments: [0x0505, 0x0507])
    func checked(code: Int32) throws {
        var errors = [GL_INVALID_ENUM, GL_INVALID_OPERATION, GL_NO_ERROR, code, GL_NO_ERROR].map { GLenum($0) }
        try GLErrors.check { errors.removeFirst() }
        #expect(errors.count == 2)
        #expect(throws: RenderingError.driver(code: GLenum(code))) { try GLErrors.check { errors.removeFirst() } }
        var calls = 0
        try GLErrors.check {
            calls += 1
            return GLenum(GL_INVALID_OPERATION)
        }
        #expect(calls == GLErrors.limit)
    }
}
