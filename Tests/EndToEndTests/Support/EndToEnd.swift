import Testing

/// The real binary, judged from outside. One at a time: its tests share the screen and the keys.
@Suite(
    "End to end", .serialized, .enabled(if: Glissade.isBuilt, "no binary: `swift build` first"),
    .timeLimit(.minutes(10)))
struct EndToEnd {}
