import Gestures

/// A vertical drag that is on.
struct LevelDragState {
    let gesture: VideoGesture
    /// The translation at which the level is where it was.
    let origin: Double
    /// How far the whole range is, in points.
    let span: Double
    var delta = 0.0

    var level: VideoGestures.Level { gesture == .brightnessDrag ? .brightness : .volume }

    init(gesture: VideoGesture, translation: Double, span: Double) {
        self.gesture = gesture
        let travel = PanRecognizer.defaultMinimumTravel
        origin = min(max(translation, -travel), travel)
        self.span = span
    }

    /// Whether the level changed.
    mutating func move(to translation: Double) -> Bool {
        let new = span > 0 ? (origin - translation) / span : 0
        guard new != delta else { return false }
        delta = new
        return true
    }
}
