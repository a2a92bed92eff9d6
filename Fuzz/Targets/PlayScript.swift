/// The script of user actions at the end of an input.
package enum PlayScript {
    /// The length in bytes: one for the options, the rest for commands.
    package static let length = 24
}
