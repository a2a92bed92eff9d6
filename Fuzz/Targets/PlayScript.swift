/// The script of user actions at the end of an input.
public enum PlayScript {
    /// The length in bytes: one for the options, the rest for commands.
    public static let length = 24
}
