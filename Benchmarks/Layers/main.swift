// Measures how long the layer tree takes for a frame, and whether it allocates: `swift run -c release
// layer-benchmark`.
//
// For each frame, does what the frame loop does: advances the tree to the frame's time and flattens it into a list. In
// a third series, also rotates the list, as for a rotated video in fullscreen. Prints the median, the 10th and the 90th
// percentile of the times.
//
// Allocations are counted exactly, because the benchmark defines `malloc` and related functions itself (see
// Benchmarks/CAllocations). The first frames may allocate, because the lists that are reused still grow. The
// benchmark fails if a later frame allocates.

import GlissadeAnimation
import GlissadeCAllocations
import GlissadeGeometry
import Glibc
import GlissadeLayers
import GlissadeTime

/// Returns the time of the monotonic clock, in nanoseconds.
func clock() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

struct Measurement {
    var median = 0
    var low = 0
    var high = 0
    var items = 0
    var allocations = 0
}

func measure(_ scene: Scene, frames: Int, isRotated: Bool = false) -> Measurement {
    let viewport = PixelSize(width: 1280, height: 720)
    var list = DisplayList(viewport: viewport)
    var costs = [Int](repeating: 0, count: frames)
    var result = Measurement()
    let warmUp = 20
    var before: UInt = 0
    for frame in 0..<warmUp + frames {
        if frame == warmUp { before = allocations_so_far() }
        let time = LocalTime(seconds: 300 + Double(frame) / 60)
        let start = clock()
        scene.root.advance(to: time)
        list.viewport = viewport
        scene.root.flatten(scale: 1, at: time, into: &list)
        if isRotated { list.rotateClockwise() }
        if frame >= warmUp { costs[frame - warmUp] = clock() - start }
    }
    result.allocations = Int(allocations_so_far() - before)
    result.items = list.items.count
    costs.sort()
    result.median = costs[frames / 2]
    result.low = costs[frames / 10]
    result.high = costs[frames * 9 / 10]
    return result
}

let uncounted = allocations_so_far()
allocations_probe()
guard allocations_so_far() > uncounted else { fatalError("The allocations of this process are not counted.") }

var hasAllocated = false
print("layers  items  ns a frame (p10 … p90)      allocations in 5000 frames")
for (name, isMoving, isRotated) in [("at rest", false, false), ("moving", true, false), ("rotated", true, true)] {
    let scene = Scene(layers: 500, moving: isMoving)
    let result = measure(scene, frames: 5000, isRotated: isRotated)
    print(
        "\(scene.count), \(name)  \(result.items)  \(result.median) (\(result.low) … \(result.high))  \(result.allocations)"
    )
    if result.allocations > 0 { hasAllocated = true }
}

/// Returns the median time of a hit test, in nanoseconds, over points all over the page.
func measureHits(_ scene: Scene, points: Int) -> Int {
    var costs = [Int](repeating: 0, count: points)
    var found = 0
    for index in 0..<points {
        let point = Point(x: Double(index * 37 % 1280), y: Double(index * 53 % 720))
        let start = clock()
        if scene.root.hitTest(point, at: LocalTime(seconds: 300)) != nil { found += 1 }
        costs[index] = clock() - start
    }
    precondition(found > 0, "no point hits anything")
    costs.sort()
    return costs[points / 2]
}

// If the time for each layer rises down the table, the total time grows faster than linearly.
print("\nlayers  ns a frame, moving  for each layer  ns a hit test  for each layer")
for count in [10, 30, 100, 300, 1000] {
    let scene = Scene(layers: count, moving: true)
    let frame = measure(scene, frames: 2000)
    let hit = measureHits(scene, points: 2000)
    print("\(scene.count)  \(frame.median)  \(frame.median / scene.count)  \(hit)  \(hit / scene.count)")
    if frame.allocations > 0 { hasAllocated = true }
}
exit(hasAllocated ? 1 : 0)
