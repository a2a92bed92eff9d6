import GlissadeAnimation
import GlissadeTime

// Computing the element's appearance from what moves it, its place on the page, and the area to fill.

extension FullscreenController {
    /// Returns the path from the item's last known place to the area that a fullscreen element currently fills.
    func path() -> FullscreenPath {
        FullscreenPath(
            place: place?.moved(by: pagesFrame.origin), bounds: bounds, shape: shape, pictureSize: element?.pictureSize)
    }

    /// Computes the element's appearance at `now`. First looks up the item's place. If the item is gone while the
    /// element is returning, the element starts to fade out.
    func geometry(at now: HostTime) -> FullscreenGeometry {
        guard let mover else { return path().geometry(at: 1) }
        find(mover, now: now)
        let path = path()
        switch mover {
        case .program(let driver):
            let straight = path.geometry(at: driver.progress(at: LocalTime(now)))
            return faded(deviation?.added(to: straight) ?? straight, mover, now: now)
        case .drag(let hold):
            let offset = bounds.centre + hold.centreOffset - path.centre(at: hold.progress)
            return path.geometry(at: hold.progress, offset: offset)
        case .settle(let settle):
            let (progress, offset) = settle.position(at: now)
            return faded(path.geometry(at: progress, offset: offset), mover, now: now)
        }
    }

    /// Looks up the item's place and stores it. If the item is gone while the element is returning, starts a fade
    /// instead. Does nothing while the element is fading out, or while it moves back to fullscreen after a reversed
    /// fade.
    func find(_ mover: FullscreenDriver, now: HostTime) {
        // After a fade was reversed, the element must not jump to an item that is found again.
        guard let element, fade == nil, deviation == nil || mover.end == 0 else { return }
        guard let found = element.inlinePlace else {
            if mover.end == 0 { fade = (shown ?? path().geometry(at: 1), mover.remaining(at: now)) }
            return
        }
        // Invalid places are ignored.
        if let usable = found.usable { place = usable }
    }

    private func faded(_ geometry: FullscreenGeometry, _ mover: FullscreenDriver, now: HostTime) -> FullscreenGeometry {
        guard let fade else { return geometry }
        var seen = fade.geometry
        seen.progress = geometry.progress
        let rest = fade.rest > 0 ? min(mover.remaining(at: now) / fade.rest, 1) : 0
        seen.opacity = fade.geometry.opacity * rest
        return seen
    }

    /// Adapts a drag to a change of `bounds`: the element keeps its progress and its offset from the center of
    /// `bounds`. Does nothing if there is no drag.
    func rebase() {
        guard case .drag(var hold) = mover else { return }
        hold.resize(bounds.size)
        mover = .drag(hold)
    }
}
