import CGLES
import Testing

@testable import Rendering

/// What earlier calls have left behind.
struct GLErrorsTests {
    @Test("errors are discarded until there is none")
    func discarded() {
        var errors = [GL_INVALID_ENUM, GL_OUT_OF_MEMORY, GL_NO_ERROR, GL_INVALID_VALUE].map { GLenum($0) }
        GLErrors.discard { errors.removeFirst() }
        #expect(errors == [GLenum(GL_INVALID_VALUE)])
    }

    @Test("a context that reports errors for ever does not keep the program")
    func endless() {
        var calls = 0
        GLErrors.discard {
            calls += 1
            return GLenum(GL_INVALID_OPERATION)
        }
        #expect(calls == GLErrors.limit)
    }
}
