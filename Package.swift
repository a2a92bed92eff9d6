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
        .executable(name: "glissade", targets: ["glissade"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        // The system's libraries: module maps and thin C shims, nothing else.
        .systemLibrary(name: "CSystem", path: "Sources/System/CSystem"),
        // The code that runs in a crashed process, in C only.
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
        system("CUchardet", apt: "libuchardet-dev"),
        system("CXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
        system("CCURL", apt: "libcurl4-openssl-dev"),
        system("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
        system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        system("CPixman", pkgConfig: "pixman-1", apt: "libpixman-1-dev"),
        system("CPango", pkgConfig: "pangocairo", apt: "libpango1.0-dev"),
        system("CXCB", pkgConfig: "xcb", apt: "libxcb-present-dev"),
        .systemLibrary(
            name: "CXlib", path: "Sources/System/CXlib", pkgConfig: "x11-xcb",
            providers: [.apt(["libx11-dev", "libx11-xcb-dev", "libxi-dev", "libxss-dev"])]),

        // Levels 1 and 2: the foundation.
        .target(name: "Geometry", linkerSettings: [.linkedLibrary("m")]),
        .target(name: "Time"),
        .target(name: "Animation", dependencies: ["Geometry", "Time"]),
        .target(name: "Input", dependencies: ["Geometry", "Time"]),
        .target(name: "Picture", dependencies: ["Geometry"]),
        .target(name: "Platform", dependencies: ["CCrash", "CSystem", "Time"]),

        // Level 3: layers, gestures, audio, media, pixels, settings, history, the desktop.
        .target(name: "Layers", dependencies: ["Animation", "Geometry", "Picture"]),
        .target(name: "Gestures", dependencies: ["Geometry", "Input", "Time"]),
        .target(name: "Audio", dependencies: ["CPulse", "Platform", "Time", logging]),
        .target(
            name: "Media",
            dependencies: ["CCURL", "CFFmpeg", "CXML2", "Geometry", "Picture", "Platform", "Time", logging]),
        .target(name: "Danmaku", dependencies: ["Geometry", "Time"]),
        .target(name: "PixelConversion", dependencies: ["CYUV", "Geometry", "Picture", "Platform", "Time"]),
        .target(name: "Settings", dependencies: ["CTOML", "Input", "Platform", "Time"]),
        .target(name: "History", dependencies: ["CSQLite", "Platform", "Time"]),
        .target(name: "Desktop", dependencies: ["CSystemd", "Platform", "Time", logging]),

        // Level 4: pages, controls, text, rendering, the library, files of comments.
        .target(name: "Navigation", dependencies: ["Animation", "Geometry", "Gestures", "Input", "Layers", "Time"]),
        .target(name: "Controls", dependencies: ["Animation", "Geometry", "Gestures", "Input", "Layers", "Time"]),
        .target(name: "Text", dependencies: ["CPango", "Geometry", "Layers", "Picture"]),
        .target(name: "DanmakuFiles", dependencies: ["CXML2", "Danmaku", "Geometry", "Platform", "Time"]),
        .target(name: "Library", dependencies: ["Geometry", "Media", "Picture", "Platform", "Time"]),
        .target(name: "Shaders", path: "Shaders", resources: [.embedInCode("GLSL")]),
        .target(
            name: "Rendering",
            dependencies: ["CGLES", "CPixman", "CYUV", "Geometry", "Layers", "Picture", "Platform", "Shaders", "Time"]),

        // Level 5: the frame loop and playback.
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

        // Levels 6 and 7: the film on screen, windows, subtitles, and picture-in-picture.
        .target(
            name: "Film",
            dependencies: ["Geometry", "Layers", "Picture", "Playback", "Presentation", "Rendering", "Time"]),
        .target(
            name: "Windowing",
            dependencies: [
                "CEGL", "CGLES", "CGLFW", "CXCB", "CXlib", "Geometry", "Input", "Platform", "Presentation", "Rendering",
                "Time",
            ]),
        .target(
            name: "Subtitles",
            dependencies: [
                "CASS", "CFFmpeg", "CUchardet", "CXML2", "Geometry", "Media", "Picture", "Platform", "Playback", "Time",
            ]),
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
                "Animation", "Controls", "Danmaku", "DanmakuFiles", "Desktop", "Film", "Floating", "Geometry",
                "Gestures",
                "History", "Input", "Layers", "Library", "Media", "Navigation", "Picture", "Platform", "Playback",
                "Presentation", "Rendering",
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
                        // The relocated tables are read-only, and the stack is not executable.
                        "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now",
                        "-Xlinker", "-z", "-Xlinker", "noexecstack",
                    ], .when(configuration: .release))
            ]),

        // The cost of drawing a page, at rest and while it is dragged.
        .executableTarget(
            name: "compositor-benchmark",
            dependencies: [
                "CGLES", "Geometry", "Layers", "Picture", "Platform", "Presentation", "Rendering", "Time", "Windowing",
            ],
            path: "Benchmarks/Compositing"),

        // The cost of presenting a frame without OpenGL, by each method.
        .executableTarget(
            name: "presentation-benchmark",
            dependencies: ["CXCB", "Geometry", "Platform", "Rendering", "Time", "Windowing"],
            path: "Benchmarks/Presentation"),

        // The cost of a frame's layers, with a count of allocations.
        .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
        .executableTarget(
            name: "layer-benchmark", dependencies: ["Animation", "CAllocations", "Geometry", "Layers", "Time"],
            path: "Benchmarks/Layers"),

        // What several test targets share: servers of their own, media files, reference pictures, waiting with a bound.
        .target(
            name: "TestSupport", dependencies: ["CPulse", "Geometry", "Picture", "Platform", "Time"],
            path: "Tests/TestSupport"),

        // Reads the screen and moves the pointer from outside of the program.
        .systemLibrary(
            name: "CX11", path: "Tests/CX11",
            providers: [.apt(["libx11-dev", "libxdamage-dev", "libxss-dev", "libxtst-dev"])]),
        .target(
            name: "ScreenProbe", dependencies: ["CX11", "Geometry", "Platform", "Time"],
            path: "Tests/ScreenProbe"),
        .executableTarget(
            name: "witness",
            dependencies: [
                "Platform", "ScreenProbe", "Time", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/Witness"),
        .testTarget(name: "ScreenProbeTests", dependencies: ["Geometry", "ScreenProbe", "TestSupport", "Time"]),

        // Parses container files, mutates their structure and writes them again.
        .target(name: "Mutators", path: "Fuzz/Mutators"),
        .testTarget(name: "MutatorsTests", dependencies: ["Mutators", "TestSupport"]),

        .testTarget(name: "StructureTests", dependencies: ["TestSupport"]),

        // Tests of the modules, by level.
        .testTarget(name: "GeometryTests", dependencies: ["Geometry"]),
        .testTarget(name: "TimeTests", dependencies: ["Time"]),
        .testTarget(name: "AnimationTests", dependencies: ["Animation", "Geometry", "TestSupport", "Time"]),
        .testTarget(name: "PictureTests", dependencies: ["Geometry", "Picture"]),
        // A program that crashes as it is told to.
        .executableTarget(name: "crasher", dependencies: ["Platform"], path: "Tests/Crasher"),
        .testTarget(
            name: "PlatformTests", dependencies: ["CSystem", "Platform", "TestSupport", "Time", "crasher"]),
        .testTarget(name: "LayersTests", dependencies: ["Animation", "Geometry", "Layers", "TestSupport", "Time"]),
        .testTarget(
            name: "GesturesTests",
            dependencies: ["Geometry", "Gestures", "Input", "Navigation", "TestSupport", "Time"]),
        .testTarget(
            name: "AudioTests", dependencies: ["Audio", "Platform", "TestSupport", "Time"]),
        .testTarget(name: "DanmakuTests", dependencies: ["Danmaku", "Geometry", "TestSupport", "Time"]),
        .testTarget(
            name: "DanmakuFilesTests",
            dependencies: ["Danmaku", "DanmakuFiles", "Geometry", "Platform", "TestSupport", "Time"]),
        .testTarget(
            name: "MediaTests",
            dependencies: ["CCURL", "CFFmpeg", "Media", "PixelConversion", "Platform", "TestSupport", "Time"]),
        .testTarget(
            name: "SettingsTests", dependencies: ["Input", "Platform", "Settings", "TestSupport", "Time"]),
        // A program that records what it plays until it is killed.
        .executableTarget(
            name: "history-writer", dependencies: ["History", "Platform", "Time"],
            path: "Tests/HistoryWriter"),
        .testTarget(
            name: "HistoryTests",
            dependencies: ["History", "Platform", "TestSupport", "Time", "history-writer"]),
        .testTarget(
            name: "DesktopTests", dependencies: ["CSystemd", "Desktop", "Platform", "TestSupport", "Time", logging]),
        .testTarget(
            name: "NavigationTests",
            dependencies: [
                "Animation", "Controls", "Geometry", "Gestures", "Input", "Layers", "Navigation", "TestSupport", "Time",
            ]),
        .testTarget(
            name: "ControlsTests",
            dependencies: ["Animation", "Controls", "Geometry", "Gestures", "Input", "Layers", "TestSupport", "Time"]),
        .testTarget(name: "TextTests", dependencies: ["Geometry", "Layers", "Picture", "Text"]),
        .testTarget(
            name: "PixelConversionTests",
            dependencies: ["CFFmpeg", "CYUV", "Geometry", "Media", "Picture", "PixelConversion", "TestSupport", "Time"]),
        .testTarget(
            name: "LibraryTests",
            dependencies: ["Geometry", "Library", "Media", "Picture", "Platform", "TestSupport", "Time"]),
        .testTarget(
            name: "RenderingTests",
            dependencies: [
                "CGLES", "Geometry", "Layers", "Picture", "PixelConversion", "Platform", "Rendering", "TestSupport",
                "Time", "Windowing",
            ]),
        .testTarget(
            name: "PresentationTests",
            dependencies: [
                "Geometry", "Gestures", "Layers", "Picture", "Platform", "Presentation", "Rendering", "TestSupport",
                "Time",
            ]),
        .testTarget(
            name: "PlaybackTests",
            dependencies: [
                "Audio", "CFFmpeg", "Geometry", "Media", "Picture", "PixelConversion", "Platform", "Playback",
                "TestSupport", "Time",
            ]),
        .testTarget(
            name: "FilmTests",
            dependencies: ["Film", "Geometry", "Picture", "Playback", "Rendering", "TestSupport", "Time"]),
        // Counts calls of `glFlush`.
        .target(name: "CGLFlush", path: "Tests/CGLFlush"),
        .testTarget(
            name: "WindowingTests",
            dependencies: [
                "CGLES", "CGLFW", "CGLFlush", "CXCB", "Floating", "Geometry", "Gestures", "Input", "Layers",
                "Navigation", "Picture", "Platform", "Presentation", "Rendering", "ScreenProbe", "TestSupport", "Time",
                "Windowing",
            ]),
        .testTarget(
            name: "SubtitlesTests",
            dependencies: [
                "CFFmpeg", "Geometry", "Media", "Picture", "Platform", "Playback", "Subtitles", "TestSupport", "Time",
            ]),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "Animation", "App", "Controls", "Danmaku", "Desktop", "Film", "Geometry", "Gestures", "History",
                "Input",
                "Layers", "Library", "Media", "Navigation", "Picture", "Platform", "Playback", "Presentation",
                "Rendering", "Settings", "Subtitles", "TestSupport", "Text", "Time", "Windowing",
            ]),
        .testTarget(
            name: "BenchmarkTests",
            dependencies: [
                "App", "Benchmark", "Geometry", "Layers", "Navigation", "Presentation", "Rendering", "Settings", "Time",
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["CSystemd", "Geometry", "Platform", "ScreenProbe", "TestSupport", "Time", "witness"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// The fuzzers, built only by `Scripts/fuzz`: they use internals of modules, as tests do, and link libFuzzer.
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
            // libFuzzer provides `main`.
            swiftSettings: [.unsafeFlags(["-parse-as-library"])], linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
    ]
}

// What compares pixels, reads screens, and takes files apart for the tests, and the laws that play hours of film, are optimized
// in debug builds as well. None of these targets is in a library product: packages that depend on this one need not allow such flags.
for target in package.targets
where [
    "TestSupport", "ScreenProbe", "witness", "PresentationTests", "RenderingTests", "ScreenProbeTests", "Mutators",
    "MutatorsTests", "StructureTests",
].contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"], .when(configuration: .debug))]
}

// With GLISSADE_TESTS, the names of test targets with commas between them, there are only those: `swift build --product
// glissadePackageTests` then builds no more than they need.
if let names = Context.environment["GLISSADE_TESTS"]?.split(separator: ","), !names.isEmpty {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name[...]) }
}

// Modules of all packages of a build share one namespace, so the names of ours begin with the package's: `Layers` is the
// module GlissadeLayers, in Sources/Layers. Programs and tests keep their names.
let isModule = { (target: Target) in target.name.first?.isUppercase == true && target.type != .test }
let modules = Set(package.targets.filter(isModule).map(\.name))
func moduleName(_ name: String) -> String { modules.contains(name) ? "Glissade\(name)" : name }
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .byNameItem(let name, let condition) = dependency else { return dependency }
        return .byNameItem(name: moduleName(name), condition: condition)
    }
    if isModule(target) {
        target.path = target.path ?? "Sources/\(target.name)"
        target.name = moduleName(target.name)
    }
}
// Libraries by need. What is not in one of them is `package`, or the program's own.
let foundation = ["Geometry", "Time", "Picture", "Danmaku"]
let interface = [
    "Geometry", "Time", "Input", "Picture", "Animation", "Layers", "Gestures", "Navigation", "Controls", "Danmaku",
]
let playback = ["Platform", "Audio", "Media", "PixelConversion", "Playback", "Subtitles", "DanmakuFiles"]
let display = ["Rendering", "Text", "Presentation", "Film", "Windowing", "Floating"]
package.products += [
    // Pages, gestures and layers as values that are told the time: links no C library.
    .library(name: "GlissadeInterface", targets: interface.map(moduleName)),
    // A player without a window: demuxing, decoding, sound, subtitles.
    .library(name: "GlissadePlayback", targets: (foundation + playback).map(moduleName)),
    // Windows, the frame loop, renderers and text.
    .library(name: "GlissadeDisplay", targets: (interface + playback + display).map(moduleName)),
]

// Imports are internal unless marked `public`: a dependency is part of a module's interface only where it says so.
for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("InternalImportsByDefault")]
}
