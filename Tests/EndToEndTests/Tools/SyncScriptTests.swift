import Testing

extension EndToEnd {
    /// `Scripts/measure-sync` but for what it measures.
    @Suite("Sync script", .enabled(if: Python.path != nil, "no python3")) struct SyncScriptTests {
        @Test("The unit tests of Scripts/measure-sync succeed")
        func units() throws { try Python.expectSuccess(ofTestsIn: "syncing") }
    }
}
