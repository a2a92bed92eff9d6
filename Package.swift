// swift-tools-version: 6.1
import PackageDescription

/// A system library: a module map, a thin header, and the Debian package that brings it.
func system(_ name: String, pkgConfig: String? = nil, apt package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "glissade",
    products: [
        .executable(name: "glissade", targets: ["glissade"]),
        .library(
            name: "Glissade",
            targets: [
                "Motion", "Gestures", "Stage", "Navigation", "Controls", "Picture", "Playback", "Rendering",
                "Windowing", "Floating",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // The system's libraries: module maps and thin C shims, nothing else.
        .systemLibrary(name: "CSystem", path: "Sources/System/CSystem"),
        // What runs in a crashed process: C alone may.
        .target(
            name: "CCrash", path: "Sources/System/CCrash",
            cSettings: [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]),
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

        // Pure: no C, no thread, no clock of their own.
        .target(name: "Motion", linkerSettings: [.linkedLibrary("m")]),
        .target(name: "Picture", dependencies: ["Motion"]),
        .target(name: "Gestures", dependencies: ["Motion"]),
        .target(name: "Stage", dependencies: ["Motion"]),
        .target(name: "Controls", dependencies: ["Gestures", "Motion", "Stage"]),
        .target(name: "Navigation", dependencies: ["Gestures", "Motion", "Stage"]),

        // What the machine lends: time, threads, sound, media, pixels, windows.
        .target(name: "Host", dependencies: ["CCrash", "CSystem", "Motion"]),
        .target(
            name: "Audio", dependencies: ["CPulse", "Host", "Motion", .product(name: "Logging", package: "swift-log")]),
        .target(
            name: "Playback",
            dependencies: [
                "CASS", "CCURL", "CFFmpeg", "CYUV", "Audio", "Host", "Motion", "Picture",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "Text", dependencies: ["CPango", "Motion", "Picture", "Stage"]),
        // A folder's media, what is in them, and their posters.
        .target(name: "Library", dependencies: ["Host", "Motion", "Picture", "Playback"]),
        // What a person has set, and what was played.
        .target(name: "Settings", dependencies: ["Gestures", "Host", "Motion", "TOMLKit"]),
        .target(name: "History", dependencies: ["CSQLite", "Host", "Motion"]),
        // The media keys and the screen saver of the desktop.
        .target(
            name: "Desktop",
            dependencies: ["CSystemd", "Host", "Motion", .product(name: "Logging", package: "swift-log")]),
        .target(name: "Shaders", path: "Shaders", resources: [.embedInCode("GLSL")]),
        .target(
            name: "Rendering",
            dependencies: ["CGLES", "CPixman", "CYUV", "Host", "Motion", "Picture", "Shaders", "Stage"]),
        .target(
            name: "Windowing",
            dependencies: [
                "CEGL", "CGLES", "CGLFW", "CXCB", "Gestures", "Host", "Motion", "Picture", "Rendering", "Stage",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]),

        // A window of its own for anything that floats.
        .target(
            name: "Floating",
            dependencies: ["Controls", "Gestures", "Motion", "Navigation", "Rendering", "Stage", "Windowing"]),

        .target(
            name: "App",
            dependencies: [
                "Audio", "Controls", "CSystem", "Desktop", "Floating", "Gestures", "History", "Host", "Library",
                "Motion",
                "Navigation",
                "Picture", "Playback", "Rendering", "Settings", "Stage", "Text", "Windowing",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "glissade",
            dependencies: [
                "App", "Host", "Motion", "Playback",
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
            dependencies: ["CGLES", "Host", "Motion", "Picture", "Rendering", "Stage", "Windowing"],
            path: "Benchmarks/Compositing"),

        // What it costs to show a frame without OpenGL, by each way.
        .executableTarget(
            name: "presentation-benchmark", dependencies: ["CXCB", "Host", "Motion", "Rendering", "Windowing"],
            path: "Benchmarks/Presentation"),

        // Costs of a frame, and a count of what is allocated meanwhile.
        .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
        .executableTarget(
            name: "stage-benchmark", dependencies: ["CAllocations", "Motion", "Stage"], path: "Benchmarks/Stage"),

        // A sound server of the tests' own, and an ear at its output.
        .target(name: "TestSupport", dependencies: ["CPulse", "Host", "Motion"], path: "Tests/TestSupport"),

        // An eye on the screen and a hand at the mouse, both outside of the program.
        .systemLibrary(
            name: "CX11", path: "Tests/CX11",
            providers: [.apt(["libx11-dev", "libxdamage-dev", "libxss-dev", "libxtst-dev"])]),
        .target(name: "Witnessing", dependencies: ["CX11", "Host", "Motion"], path: "Tests/Witnessing"),
        .executableTarget(
            name: "witness",
            dependencies: [
                "Host", "Motion", "Witnessing", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/Witness"),

        // Files taken apart, changed and written again, to see what becomes of those who read them.
        .target(name: "Mutators", path: "Fuzz/Mutators"),
        .testTarget(name: "MutatorsTests", dependencies: ["Mutators"]),

        .testTarget(name: "WitnessTests", dependencies: ["Motion", "Witnessing"]),
        // A program that crashes as it is told to.
        .executableTarget(name: "crasher", dependencies: ["Host"], path: "Tests/Crasher"),
        .testTarget(name: "HostTests", dependencies: ["CSystem", "Host", "Motion", "crasher"]),
        .testTarget(name: "MotionTests", dependencies: ["Motion"]),
        .testTarget(name: "GesturesTests", dependencies: ["Gestures", "Motion"]),
        .testTarget(name: "StageTests", dependencies: ["Motion", "Stage"]),
        .testTarget(name: "ControlsTests", dependencies: ["Controls", "Gestures", "Motion", "Stage"]),
        .testTarget(name: "NavigationTests", dependencies: ["Controls", "Gestures", "Motion", "Navigation", "Stage"]),
        .testTarget(name: "TextTests", dependencies: ["Motion", "Picture", "Stage", "Text"]),
        .testTarget(name: "AudioTests", dependencies: ["Audio", "Host", "Motion", "TestSupport"]),
        .testTarget(
            name: "PlaybackTests",
            dependencies: ["Audio", "CFFmpeg", "CYUV", "Host", "Motion", "Picture", "Playback", "TestSupport"]),

        .testTarget(name: "SettingsTests", dependencies: ["Gestures", "Host", "Motion", "Settings"]),
        // A program that records what it plays until it is killed.
        .executableTarget(
            name: "history-writer", dependencies: ["History", "Host", "Motion"], path: "Tests/HistoryWriter"),
        .testTarget(
            name: "HistoryTests",
            dependencies: [
                "History", "Host", "Motion", "history-writer", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "LibraryTests", dependencies: ["Host", "Library", "Motion", "Picture", "Playback", "TestSupport"]),
        .testTarget(
            name: "DesktopTests",
            dependencies: [
                "CSystemd", "Desktop", "Host", "Motion", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ]),
        // A count of `glFlush`.
        .target(name: "CGLFlush", path: "Tests/CGLFlush"),
        .testTarget(
            name: "RenderingTests",
            dependencies: [
                "Rendering", "Windowing", "Witnessing", "Gestures", "Host", "Motion", "Picture", "Playback", "Stage",
                "CGLES", "CGLFlush",
            ]),
        .testTarget(
            name: "WindowingTests",
            dependencies: [
                "CXCB", "Gestures", "Host", "Motion", "Picture", "Rendering", "Stage", "TestSupport", "Windowing",
            ]),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "App", "Controls", "Gestures", "History", "Host", "Library", "Motion", "Navigation", "Picture",
                "Playback",
                "Rendering", "Settings", "Stage", "TestSupport", "Windowing",
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["CSystemd", "Host", "Motion", "TestSupport", "Witnessing", "witness"]),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzers, which nothing else needs: they look into modules, as tests do, and are linked with libFuzzer. `Scripts/fuzz`
// builds them.
if Context.environment["GLISSADE_FUZZ"] == "1" {
    package.targets += [
        .target(
            name: "FuzzTargets",
            dependencies: [
                "App", "Audio", "CFFmpeg", "CSystem", "CSystemd", "Desktop", "History", "Host", "Library", "Motion",
                "Mutators",
                "Picture", "Playback", "Settings", "Stage", "Text",
            ], path: "Fuzz/Targets"),
        .executableTarget(
            name: "fuzzer", dependencies: ["FuzzTargets", "Host", "Motion", "Mutators"], path: "Fuzz/Fuzzer",
            // libFuzzer has the main function.
            swiftSettings: [.unsafeFlags(["-parse-as-library"])], linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
    ]
}

// An import is internal unless it says `public`: a module's dependencies are part of its face only where they show.
for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("InternalImportsByDefault")]
}
