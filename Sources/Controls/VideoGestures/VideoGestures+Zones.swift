import GlissadeGeometry

// The gesture for each part of the video: quarters for double clicks, thirds for dismissing, halves for levels.

extension VideoGestures {
    /// Returns the enabled gesture for a double click at `point`; nil if none is enabled.
    func doubleClick(at point: Point) -> VideoGesture? {
        if let outer = outerDoubleClick(at: point), isOn(outer) { return outer }
        return isOn(.doubleClick) ? .doubleClick : nil
    }

    func outerDoubleClick(at point: Point) -> VideoGesture? {
        guard !frame.size.isEmpty else { return nil }
        let quarter = frame.size.width * Self.quarterFraction
        if point.x < frame.minX + quarter { return .doubleClickLeft }
        return point.x >= frame.maxX - quarter ? .doubleClickRight : nil
    }

    /// Returns whether a drag down from `point` can take the video out of fullscreen.
    func canDismiss(from point: Point) -> Bool {
        let third = frame.size.width * Self.thirdFraction
        guard !frame.size.isEmpty, isOn(.dismissDrag), point.x >= frame.minX + third, point.x < frame.maxX - third
        else { return false }
        return canDismiss?() ?? false
    }

    /// Returns the gesture for a vertical drag from `point`: brightness in the left half, volume in the right half.
    func levelDrag(at point: Point) -> VideoGesture {
        point.x < frame.minX + frame.size.width / 2 ? .brightnessDrag : .volumeDrag
    }
}
