// swift-tools-version: 6.1
import PackageDescription

/// A system library: a module map, a thin header, and the Debian package that brings it.
func system(_ name: String, pkgConfig: String? = nil, apt package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "glissade",
    products: [
        .executable(name: "glissade", targets: ["glissade"]),
        .library(
            name: "Glissade",
            targets: [
                "Geometry", "Time", "Animation", "Input", "Picture", "Platform", "Layers", "Gestures", "Media",
                "Navigation", "Controls", "Rendering", "Presentation", "Playback", "Windowing", "Subtitles", "Floating",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        // The system's libraries: module maps and thin C shims, nothing else.
        .systemLibrary(name: "CSystem", path: "Sources/System/CSystem"),
        // What runs in a crashed process: C alone may.
        .target(
            name: "CCrash", path: "Sources/System/CCrash",
            cSettings: [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]),
        // toml++ in C++, behind a C interface.
        .target(name: "CTOML", path: "Sources/System/CTOML"),
        system("CFFmpeg", pkgConfig: "libavformat", apt: "libavformat-dev"),
        system("CGLFW", pkgConfig: "glfw3", apt: "libglfw3-dev"),
        system("CEGL", pkgConfig: "egl", apt: "libegl-dev"),
        system("CGLES", pkgConfig: "glesv2", apt: "libgles-dev"),
        system("CPulse", apt: "libpulse-dev"),
        system("CYUV", apt: "libyuv-dev"),
        system("CASS", apt: "libass-dev"),
        system("CCURL", apt: "libcurl4-openssl-dev"),
        system("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
        system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        system("CPixman", pkgConfig: "pixman-1", apt: "libpixman-1-dev"),
        system("CPango", pkgConfig: "pangocairo", apt: "libpango1.0-dev"),
        system("CXCB", pkgConfig: "xcb", apt: "libxcb-present-dev"),

        // Level 1 and 2: what everything else is made of.
        .target(name: "Geometry", linkerSettings: [.linkedLibrary("m")]),
        .target(name: "Time"),
        .target(name: "Animation", dependencies: ["Geometry", "Time"]),
        .target(name: "Input", dependencies: ["Geometry", "Time"]),
        .target(name: "Picture", dependencies: ["Geometry"]),
        .target(name: "Platform", dependencies: ["CCrash", "CSystem", "Time"]),

        // Level 3: layers, gestures, audio, media, and what the desktop keeps.
        .target(name: "Layers", dependencies: ["Animation", "Geometry"]),
        .target(name: "Gestures", dependencies: ["Geometry", "Input", "Time"]),
        .target(name: "Audio", dependencies: ["CPulse", "Platform", "Time", logging]),
        .target(
            name: "Media",
            dependencies: ["CCURL", "CFFmpeg", "Geometry", "Picture", "Platform", "Time", logging]),
        .target(name: "Settings", dependencies: ["CTOML", "Input", "Platform", "Time"]),
        .target(name: "History", dependencies: ["CSQLite", "Platform", "Time"]),
        .target(name: "Desktop", dependencies: ["CSystemd", "Platform", "Time", logging]),

        // Level 4: pages, controls, text, pixels.
        .target(name: "Navigation", dependencies: ["Animation", "Geometry", "Gestures", "Input", "Layers", "Time"]),
        .target(name: "Controls", dependencies: ["Animation", "Geometry", "Gestures", "Input", "Layers", "Time"]),
        .target(name: "Text", dependencies: ["CPango", "Geometry", "Layers", "Picture"]),
        .target(
            name: "PixelConversion", dependencies: ["CYUV", "Geometry", "Media", "Picture", "Platform", "Time"]),
        .target(name: "Library", dependencies: ["Geometry", "Media", "Picture", "Platform", "Time"]),
        .target(name: "Shaders", path: "Shaders", resources: [.embedInCode("GLSL")]),
        .target(
            name: "Rendering",
            dependencies: ["CGLES", "CPixman", "CYUV", "Geometry", "Layers", "Picture", "Platform", "Shaders", "Time"]),

        // Level 5: frames on their way to the screen, and films on their way to frames.
        .target(
            name: "Presentation",
            dependencies: [
                "Geometry", "Input", "Layers", "Platform", "Rendering", "Time",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]),
        .target(
            name: "Playback",
            dependencies: [
                "Audio", "CFFmpeg", "Geometry", "Media", "Picture", "PixelConversion", "Platform", "Time", logging,
            ]),

        // Level 6 and 7: windows, subtitles, and what floats.
        .target(
            name: "Windowing",
            dependencies: [
                "CEGL", "CGLES", "CGLFW", "CXCB", "Geometry", "Input", "Platform", "Presentation", "Rendering", "Time",
            ]),
        .target(
            name: "Subtitles",
            dependencies: ["CASS", "CFFmpeg", "Geometry", "Media", "Picture", "Platform", "Playback", "Time"]),
        .target(
            name: "Floating",
            dependencies: [
                "Animation", "Controls", "Geometry", "Gestures", "Input", "Layers", "Navigation", "Presentation",
                "Rendering", "Time", "Windowing",
            ]),

        // Level 8 to 10: the player, what measures it, and the command line.
        .target(
            name: "App",
            dependencies: [
                "Animation", "Controls", "Desktop", "Floating", "Geometry", "Gestures", "History", "Input", "Layers",
                "Library", "Media", "Navigation", "Picture", "Platform", "Playback", "Presentation", "Rendering",
                "Settings", "Subtitles", "Text", "Time", "Windowing", logging,
            ]),
        .target(
            name: "Benchmark",
            dependencies: [
                "App", "Geometry", "Input", "Layers", "Library", "Navigation", "Picture", "Platform", "Presentation",
                "Rendering", "Settings", "Time",
            ]),
        .executableTarget(
            name: "glissade",
            dependencies: [
                "App", "Benchmark", "Geometry", "Media", "Platform", "Settings", "Time",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--icf=safe",
                        "-Xlinker", "--no-export-dynamic", "-Xlinker", "--build-id",
                        // Nothing that the loader has filled in can be changed, and no stack runs.
                        "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now",
                        "-Xlinker", "-z", "-Xlinker", "noexecstack",
                    ], .when(configuration: .release))
            ]),

        // What it costs to draw a page at rest and dragged.
        .executableTarget(
            name: "compositor-benchmark",
            dependencies: [
                "CGLES", "Geometry", "Layers", "Picture", "Platform", "Presentation", "Rendering", "Time", "Windowing",
            ],
            path: "Benchmarks/Compositing"),

        // What it costs to show a frame without OpenGL, by each way.
        .executableTarget(
            name: "presentation-benchmark",
            dependencies: ["CXCB", "Geometry", "Platform", "Rendering", "Time", "Windowing"],
            path: "Benchmarks/Presentation"),

        // Costs of a frame, and a count of what is allocated meanwhile.
        .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
        .executableTarget(
            name: "stage-benchmark", dependencies: ["Animation", "CAllocations", "Geometry", "Layers", "Time"],
            path: "Benchmarks/Stage"),

        // A sound server of the tests' own, and an ear at its output.
        .target(
            name: "TestSupport", dependencies: ["CPulse", "Platform", "Time"],
            path: "Tests/TestSupport"),

        // An eye on the screen and a hand at the mouse, both outside of the program.
        .systemLibrary(
            name: "CX11", path: "Tests/CX11",
            providers: [.apt(["libx11-dev", "libxdamage-dev", "libxss-dev", "libxtst-dev"])]),
        .target(
            name: "Witnessing", dependencies: ["CX11", "Geometry", "Platform", "Time"],
            path: "Tests/Witnessing"),
        .executableTarget(
            name: "witness",
            dependencies: [
                "Platform", "Time", "Witnessing", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/Witness"),

        // Files taken apart, changed and written again, to see what becomes of those who read them.
        .target(name: "Mutators", path: "Fuzz/Mutators"),
        .testTarget(name: "MutatorsTests", dependencies: ["Mutators"]),

        .testTarget(name: "WitnessTests", dependencies: ["Geometry", "Time", "Witnessing"]),
        // A program that crashes as it is told to.
        .executableTarget(name: "crasher", dependencies: ["Platform"], path: "Tests/Crasher"),
        .testTarget(
            name: "PlatformTests", dependencies: ["CSystem", "Platform", "Time", "crasher"]),
        .testTarget(name: "GeometryTests", dependencies: ["Geometry"]),
        .testTarget(name: "TimeTests", dependencies: ["Time"]),
        .testTarget(name: "AnimationTests", dependencies: ["Animation", "Geometry", "TestSupport", "Time"]),
        .testTarget(name: "StructureTests"),
        .testTarget(name: "GesturesTests", dependencies: ["Geometry", "Gestures", "Input", "Navigation", "Time"]),
        .testTarget(name: "LayersTests", dependencies: ["Animation", "Geometry", "Layers", "TestSupport", "Time"]),
        .testTarget(
            name: "ControlsTests",
            dependencies: ["Animation", "Controls", "Geometry", "Gestures", "Input", "Layers", "Time"]),
        .testTarget(
            name: "NavigationTests",
            dependencies: ["Animation", "Controls", "Geometry", "Gestures", "Input", "Layers", "Navigation", "Time"]),
        .testTarget(name: "TextTests", dependencies: ["Geometry", "Layers", "Picture", "Text"]),
        .testTarget(
            name: "AudioTests", dependencies: ["Audio", "Platform", "TestSupport", "Time"]),
        .testTarget(
            name: "PlaybackTests",
            dependencies: [
                "Audio", "CCURL", "CFFmpeg", "CYUV", "Geometry", "Media", "Picture", "PixelConversion", "Platform",
                "Playback", "Subtitles", "TestSupport", "Time",
            ]),

        .testTarget(
            name: "SettingsTests",
            dependencies: ["Input", "Platform", "Settings", "Time"]),
        // A program that records what it plays until it is killed.
        .executableTarget(
            name: "history-writer", dependencies: ["History", "Platform", "Time"],
            path: "Tests/HistoryWriter"),
        .testTarget(
            name: "HistoryTests",
            dependencies: ["History", "Platform", "Time", "history-writer"]),
        .testTarget(
            name: "LibraryTests",
            dependencies: ["Geometry", "Library", "Media", "Picture", "Platform", "TestSupport", "Time"]),
        .testTarget(
            name: "DesktopTests",
            dependencies: [
                "CSystemd", "Desktop", "Platform", "TestSupport", "Time",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // A count of `glFlush`.
        .target(name: "CGLFlush", path: "Tests/CGLFlush"),
        .testTarget(
            name: "RenderingTests",
            dependencies: [
                "CGLES", "CGLFlush", "Geometry", "Input", "Layers", "Picture", "PixelConversion", "Platform",
                "Presentation", "Rendering", "Time", "Windowing", "Witnessing",
            ]),
        .testTarget(name: "PresentationTests", dependencies: ["Presentation", "TestSupport", "Time"]),
        .testTarget(
            name: "WindowingTests",
            dependencies: [
                "CXCB", "Geometry", "Gestures", "Input", "Layers", "Picture", "Platform", "Presentation", "Rendering",
                "TestSupport", "Time", "Windowing",
            ]),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "Animation", "App", "Controls", "Geometry", "Gestures", "History", "Input", "Layers", "Library",
                "Media", "Navigation", "Picture", "Platform", "Playback", "Presentation", "Rendering", "Settings",
                "Subtitles", "TestSupport", "Time", "Windowing",
            ]),
        .testTarget(
            name: "BenchmarkTests",
            dependencies: ["App", "Benchmark", "Geometry", "Layers", "Presentation", "Settings", "Time"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["CSystemd", "Geometry", "Platform", "TestSupport", "Time", "Witnessing", "witness"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// The fuzzers, which nothing else needs: they look into modules, as tests do, and are linked with libFuzzer. `Scripts/fuzz`
// builds them.
if Context.environment["GLISSADE_FUZZ"] == "1" {
    package.targets += [
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Animation", "App", "Audio", "CFFmpeg", "CSystem", "CSystemd", "Desktop", "Geometry", "History",
                "Layers", "Library", "Media", "Mutators", "Picture", "PixelConversion", "Platform", "Playback",
                "Settings", "Subtitles", "Text", "Time",
            ], path: "Fuzz/Targets"),
        .executableTarget(
            name: "fuzzer", dependencies: ["Animation", "FuzzTargets", "Geometry", "Mutators", "Platform", "Time"],
            path: "Fuzz/Fuzzer",
            // libFuzzer has the main function.
            swiftSettings: [.unsafeFlags(["-parse-as-library"])], linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
    ]
}

// An import is internal unless it says `public`: a module's dependencies are part of its face only where they show.
for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("InternalImportsByDefault")]
}
