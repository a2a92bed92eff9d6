// swift-tools-version: 6.1
import PackageDescription

// A package as another program would have it: it takes only the pure library, which needs no system library. Its own modules have
// the names that one would give them.
let package = Package(
    name: "pages",
    dependencies: [.package(name: "glissade", path: "../..")],
    targets: [
        .target(name: "Time", dependencies: [.product(name: "GlissadeInterface", package: "glissade")]),
        .target(name: "Text", dependencies: [.product(name: "GlissadeInterface", package: "glissade")]),
        .executableTarget(
            name: "Pages",
            dependencies: ["Text", "Time", .product(name: "GlissadeInterface", package: "glissade")]),
    ]
)
