/// An optional property that is encoded as null if it is nil. Without this wrapper, its key would be left out.
@propertyWrapper package struct EncodedAsNull<Value: Codable & Sendable>: Codable, Sendable {
    /// The property's value.
    package var wrappedValue: Value?

    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value?.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
