import Testing

extension EndToEnd {
    /// `Scripts/measure-sync` but for what it measures.
    @Suite(.enabled(if: Python.path != nil, "no python3")) struct SyncScriptTests {
        @Test("it tells ticks and flashes by their numbers, and what is lost, doubled or cut off")
        func units() throws { try Python.expectSuccess(ofTestsIn: "syncing") }
    }
}
