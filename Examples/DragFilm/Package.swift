// swift-tools-version: 6.1
import PackageDescription

// A package as another program would have it: a window, a film, and pages that can be dragged.
let package = Package(
    name: "drag-film",
    dependencies: [.package(name: "glissade", path: "../..")],
    targets: [
        .executableTarget(name: "DragFilm", dependencies: [.product(name: "GlissadeDisplay", package: "glissade")])
    ]
)
