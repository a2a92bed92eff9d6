import Time

/// How long a server is waited for, and which hosts count as what. A value; tests have others.
package struct NetworkRules: Hashable, Sendable {
    /// To the first byte of an answer, with the search for the host's address and the connection.
    var answerPatience = Duration.seconds(15)
    /// Between two bytes of an answer.
    var stallPatience = Duration.seconds(10)
    /// How long it is tried to reconnect, from the first failure on.
    package var reconnectPatience = Duration.seconds(45)
    /// The same, while the film is being opened and nothing of it is shown yet.
    var openingPatience = Duration.seconds(15)
    /// For a packet of what FFmpeg reads by itself, and for all of its opening.
    var streamPatience = Duration.seconds(20)
    /// Between attempts; the last one is repeated.
    var pauses = [
        Duration.zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]
    /// Count as global, whatever they are.
    var globalAddresses: Set<IPAddress> = []
    /// A file of certificates that are trusted, in place of the system's.
    var certificates: String?

    package init() {}

    func zone(of address: IPAddress) -> HostZone { globalAddresses.contains(address) ? .global : HostZone(of: address) }
}
