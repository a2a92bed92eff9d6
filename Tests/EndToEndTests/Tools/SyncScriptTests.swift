import Testing

extension EndToEnd {
    /// `Scripts/measure-sync` but for what it measures.
    @Suite("Sync script", .enabled(if: Python.path != nil, "no python3")) struct SyncScriptTests {
        @Test("It tells ticks and flashes by their numbers, and what is lost, doubled or cut off")
        func units() throws { try Python.expectSuccess(ofTestsIn: "syncing") }
    }
}
