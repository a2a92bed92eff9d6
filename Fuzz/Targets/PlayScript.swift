/// The script of user actions: the last bytes of an input.
public enum PlayScript {
    /// In bytes: one for the options, then commands.
    public static let length = 24
}
