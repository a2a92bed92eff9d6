import GlissadeGestures

/// The state of a vertical drag that changes the brightness or the volume.
struct LevelDragState {
    let gesture: VideoGesture
    /// The vertical translation at which the level is unchanged, in points. This is the initial translation of the
    /// drag, clamped to ±`PanRecognizer.defaultMinimumTravel`.
    let origin: Double
    /// The drag distance that changes the level by its whole range, in points.
    let span: Double
    var delta = 0.0

    var level: VideoGestures.Level { gesture == .brightnessDrag ? .brightness : .volume }

    init(gesture: VideoGesture, translation: Double, span: Double) {
        self.gesture = gesture
        let travel = PanRecognizer.defaultMinimumTravel
        origin = min(max(translation, -travel), travel)
        self.span = span
    }

    /// Updates `delta` for a vertical translation in points. Returns whether `delta` changed.
    mutating func move(to translation: Double) -> Bool {
        let new = span > 0 ? (origin - translation) / span : 0
        guard new != delta else { return false }
        delta = new
        return true
    }
}
