/// An optional property that is encoded as null if it is nil. Without this wrapper, its key would be left out.
@propertyWrapper public struct EncodedAsNull<Value: Codable & Sendable>: Codable, Sendable {
    /// The property's value.
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value?.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
