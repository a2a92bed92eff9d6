/// A bar of up to 40 characters for a fraction, 0…1.
public func bar(_ fraction: Double) -> String {
    String(repeating: "█", count: Int((max(0, min(1, fraction)) * 40).rounded()))
}
