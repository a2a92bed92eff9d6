/// What is done with media that are played: the last bytes of an input.
public enum PlayScript {
    /// How they begin to be played, then commands.
    public static let length = 24
}
