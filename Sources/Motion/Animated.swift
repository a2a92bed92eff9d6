public protocol Animatable: Sendable, Equatable {}
extension Double: Animatable {}
extension Point: Animatable {}
public struct Animated<Value: Animatable> {
    public var model: Value
    public init(_ value: Value) { model = value }
    public func presentation(at time: LocalTime) -> Value { model }
    public var isAnimating: Bool { false }
    public mutating func advance(to time: LocalTime) {}
}
public struct PercentDriver: Sendable {
    var duration: Duration; var start: HostTime?
    public init(duration: Duration) { self.duration = duration }
    public mutating func finish(at now: HostTime) { start = now }
    public func progress(at now: HostTime) -> Double {
        guard let start else { return 0 }
        let t = min(1, max(0, (now - start).inSeconds / duration.inSeconds)); return 1 - (1 - t) * (1 - t)
    }
    public func velocity(at now: HostTime) -> Double { 0 }
    public func isFinished(at now: HostTime) -> Bool { start.map { now - $0 >= duration } ?? false }
}
