/// The reason why a DASH manifest cannot be played. `description` is text for the user.
enum DASHFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The manifest is not well-formed XML.
    case damaged
    case live
    case severalPeriods
    case encrypted
    case webM
    case noStreams
    /// An address is not an `http` or `https` URL, or is too long.
    case invalidAddress
    /// The description of the segments is incomplete or contradictory.
    case invalidSegments
    case tooManySegments
    /// The segment index of a file is missing, unreadable or damaged.
    case invalidIndex

    var description: String {
        switch self {
        case .damaged: "its DASH manifest is damaged"
        case .live: "live DASH streams are not supported"
        case .severalPeriods: "DASH streams with several periods are not supported"
        case .encrypted: "it is encrypted, which is not supported"
        case .webM: "DASH streams in WebM are not supported"
        case .noStreams: "its DASH manifest lists no video or audio"
        case .invalidAddress: "its DASH manifest contains an invalid address"
        case .invalidSegments: "its DASH manifest does not say where its segments are"
        case .tooManySegments: "its DASH manifest lists too many segments"
        case .invalidIndex: "its segment index is missing or damaged"
        }
    }
}
