import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation

/// A page that checks the order in which it is told, and may act on the stack while it is.
@MainActor final class WatchfulPage: Page {
    enum Life { case hidden, appearing, shown, disappearing }

    let name: String
    private(set) var life = Life.hidden
    private(set) var isDragging = false
    private var lastProgress: Double?
    private(set) var faults: [String] = []
    var onTold: (@MainActor (WatchfulPage) -> Void)?

    init(_ name: String) {
        self.name = name
        super.init(layer: Layer(content: .color(.white)))
    }

    private func step(to new: Life, from allowed: [Life], _ call: String) {
        if !allowed.contains(life) { faults.append("\(name): \(call) while \(life)") }
        life = new
        onTold?(self)
    }

    override func willAppear() { step(to: .appearing, from: [.hidden, .disappearing], "willAppear") }
    override func didAppear() { step(to: .shown, from: [.appearing], "didAppear") }
    override func willDisappear() { step(to: .disappearing, from: [.shown, .appearing], "willDisappear") }
    override func didDisappear() { step(to: .hidden, from: [.disappearing], "didDisappear") }

    override func willBeginDragging() {
        if isDragging { faults.append("\(name): a second willBegin") }
        isDragging = true
        lastProgress = nil
        onTold?(self)
    }

    override func didDrag(progress: Double) {
        if !isDragging { faults.append("\(name): didDrag outside of a drag") }
        if !(0...1).contains(progress) { faults.append("\(name): progress \(progress)") }
        if progress == lastProgress { faults.append("\(name): the same progress twice") }
        lastProgress = progress
        onTold?(self)
    }

    override func didEndDragging(popped: Bool) {
        if !isDragging { faults.append("\(name): didEnd outside of a drag") }
        if let lastProgress, lastProgress != 0, lastProgress != 1 {
            faults.append("\(name): didEnd at \(lastProgress)")
        }
        isDragging = false
        onTold?(self)
    }
}

/// Counts pictures: at most one, and none at rest.
@MainActor final class WatchfulSnapshots: SnapshotSource {
    private(set) var isTaken = false
    var works = true

    func capture(_ layer: Layer, size: Size) -> Layer.Content? {
        guard works else { return nil }
        isTaken = true
        return .surface(SurfaceID(rawValue: 9), rotation: .none)
    }

    func releaseSnapshot() { isTaken = false }
}
