import GlissadeGeometry
import GlissadeGestures
import GlissadeNavigation
import GlissadeTime

/// Horizontal drags on a video that went fullscreen from its library row or card: the same directions as on a page.
/// A drag to the right takes the video back to its row, and a drag to the left shows the file's details. Main thread.
@MainActor final class FullscreenRowDrag {
    let recognizers: [GestureRecognizer]
    private let pan = PanRecognizer(axes: .horizontal, name: "row")
    private let fullscreen: FullscreenController
    private let layoutRotation: LayoutRotation
    /// Called when a drag takes hold of the video.
    var onBegin: (@MainActor () -> Void)?
    /// Called for each movement of the video.
    var onChange: (@MainActor () -> Void)?
    /// Called for a drag to the left.
    var onDetails: (@MainActor (HostTime) -> Void)?
    /// Returns whether a drag in a direction may begin with a press at a point, in layout points.
    var allows: (@MainActor (_ isBack: Bool, Point) -> Bool)?

    init(_ fullscreen: FullscreenController, layoutRotation: LayoutRotation) {
        self.fullscreen = fullscreen
        self.layoutRotation = layoutRotation
        recognizers = [pan]
        pan.drivenByScroll = false
        pan.isResampled = true
        pan.onChange = { [weak self] _ in self?.panChanged() }
    }

    private func panChanged() {
        let (now, conversion) = (pan.time, layoutRotation.input)
        switch pan.state {
        case .began:
            let isBack = pan.translation.x > 0
            guard allows?(isBack, pan.pressLocation) ?? true else { return pan.cancel() }
            guard isBack else {
                pan.cancel()
                onDetails?(now)
                return
            }
            onBegin?()
            guard fullscreen.beginDrag(conversion.isRotated ? .down : .right, now: now) else { return pan.cancel() }
            fullscreen.drag(by: conversion.windowVector(pan.translation), now: now)
        case .changed:
            if fullscreen.isHeld { fullscreen.drag(by: conversion.windowVector(pan.translation), now: now) }
        case .ended:
            if fullscreen.isHeld { fullscreen.endDrag(velocity: conversion.windowVector(pan.velocity), now: now) }
        case .cancelled: if fullscreen.isHeld { fullscreen.cancelDrag(now: now) }
        case .possible, .recognized, .failed: return
        }
        onChange?()
    }
}

extension FullscreenRowDrag: @MainActor GestureTarget {}
