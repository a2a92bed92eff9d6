/// What a look at a place on the screen saw there.
package enum FrameObservation: Hashable, Sendable {
    /// The coded frame of that number.
    case frame(Int)
    /// Nothing but black.
    case black
    /// Neither a whole code nor black: something else lies there, or parts of two frames do.
    case unreadable
}
