import Testing

@testable import GlissadeApp

/// What graphics drivers are told by the environment.
@Suite("Driver environment")
struct DriverEnvironmentTests {
    private func missing(_ environment: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: DriverEnvironment.missing { environment[$0] }.map { ($0.name, $0.value) })
    }

    @Test("The program sets one queued frame, blocking waits and no variable refresh, without printing anything")
    func none() {
        #expect(
            missing(["HOME": "/home/me"]) == [
                "EGL_LOG_LEVEL": "fatal", "LIBGL_DEBUG": "quiet", "adaptive_sync": "false", "MESA_DEBUG": "silent",
                "__GL_MaxFramesAllowed": "1", "__GL_YIELD": "USLEEP",
            ])
    }

    @Test(
        "Variables that are already set, even to nothing, are left alone",
        arguments: DriverEnvironment.preferences.map(\.name), ["true", ""])
    func set(name: String, value: String) {
        let missing = missing([name: value])
        #expect(missing[name] == nil)
        #expect(missing.count == DriverEnvironment.preferences.count - 1)
    }
}
