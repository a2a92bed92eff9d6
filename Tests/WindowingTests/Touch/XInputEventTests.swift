import GlissadeGeometry
import GlissadeTestSupport
import Testing

@testable import GlissadeWindowing

@Suite("Events of the X Input extension") struct XInputEventTests {
    /// The bytes of a touch event as the server sends them.
    static func touch(
        type: UInt16 = 18, id: UInt32 = 7, device: UInt16 = 6, x: Double = 100.5, y: Double = -3.25, time: UInt32 = 99
    ) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 80)
        func put(_ value: some FixedWidthInteger, _ offset: Int) {
            withUnsafeBytes(of: value) { for (index, byte) in $0.enumerated() { bytes[offset + index] = byte } }
        }
        bytes[0] = 35
        put(UInt32(12), 4)
        put(type, 8)
        put(UInt16(2), 10)
        put(time, 12)
        put(id, 16)
        put(UInt32(0x200001), 24)
        put(Int32(x * 65536), 40)
        put(Int32(y * 65536), 44)
        put(device, 52)
        return bytes
    }

    private func parse(_ bytes: [UInt8]) -> XInputEvent? { bytes.withUnsafeBytes { XInputEvent($0) } }

    private func lost(_ bytes: [UInt8]) -> [UInt16] {
        var found: [UInt16] = []
        bytes.withUnsafeBytes { XInputEvent.forEachLostDevice($0) { found.append($0) } }
        return found
    }

    @Test("A touch is read with its finger, device, window, time and the fractions of its position")
    func touches() {
        for (type, phase) in [(18, XInputEvent.TouchPhase.began), (19, .moved), (20, .ended)] {
            let expected = XInputEvent.Touch(
                phase: phase, id: 7, device: 6, window: 0x200001, position: Point(x: 100.5, y: -3.25), time: 99)
            #expect(parse(Self.touch(type: UInt16(type))) == .touch(expected))
        }
        #expect(parse(Self.touch(type: 6)) == nil && parse(Self.touch(type: 21)) == nil)
    }

    @Test("A touch event that is cut off anywhere is ignored")
    func cutOff() {
        let bytes = Self.touch()
        for count in 0..<bytes.count { #expect(parse(Array(bytes.prefix(count))) == nil) }
    }

    @Test("Removed, detached and disabled devices are lost, added and enabled ones are not")
    func hierarchy() {
        var bytes = [UInt8](repeating: 0, count: 32 + 8 * 12)
        (bytes[8], bytes[20]) = (11, 8)
        for bit in 0..<8 {
            bytes[32 + bit * 12] = UInt8(10 + bit)
            bytes[32 + bit * 12 + 8] = 1 << UInt8(bit)
        }
        #expect(lost(bytes) == [13, 15, 17])
        // More devices than bytes.
        (bytes[20], bytes[21]) = (255, 255)
        #expect(lost(bytes) == [13, 15, 17])
        #expect(lost(Array(bytes.prefix(31))).isEmpty && lost(Self.touch()).isEmpty)
    }

    @Test("Random bytes are read without a trap, and give only finite positions")
    func random() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...140, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if bytes.count > 9 {
                (bytes[8], bytes[9]) = ([1, 11, 17, 18, 19, 20, 27, 29, 30].randomElement(using: &generator)!, 0)
            }
            if case .touch(let touch) = parse(bytes) { #expect(touch.position.x.isFinite && touch.position.y.isFinite) }
            #expect(lost(bytes).count <= XInputEvent.deviceLimit)
        }
    }

    // MARK: - Valuators

    private func motion(_ values: [Int: Double], device: UInt16 = 7, maskWords: UInt16 = 1) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32 + Int(maskWords) * 4)
        (bytes[8], bytes[20], bytes[22], bytes[12]) = (17, UInt8(device), UInt8(maskWords), 42)
        for (number, value) in values.sorted(by: { $0.key < $1.key }) {
            bytes[32 + number / 8] |= 1 << UInt8(number % 8)
            let whole = value.rounded(.down)
            withUnsafeBytes(of: Int32(whole)) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: UInt32((value - whole) * 4_294_967_296)) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    private func parsedMotion(_ bytes: [UInt8]) -> XInputEvent.Motion? {
        if case .motion(let motion) = parse(bytes) { motion } else { nil }
    }

    @Test("The exact distances of valuators are read, except those of the mouse's position")
    func valuators() throws {
        let motion = try #require(parsedMotion(motion([0: 5, 1: 6, 2: -0.25, 3: 10.5])))
        #expect(motion.device == 7 && motion.time == 42 && motion.count == 2)
        #expect(motion.numbers[0] == 2 && motion.distances[0] == -0.25)
        #expect(motion.numbers[1] == 3 && motion.distances[1] == 10.5)
        #expect(parsedMotion(self.motion([0: 5, 1: 6])) == nil)
    }

    @Test("Motions with missing values are ignored, and those with many valuators are read in part")
    func motions() {
        let bytes = motion([0: 1, 2: 2, 3: 3])
        for count in 0..<bytes.count { #expect(parsedMotion(Array(bytes.prefix(count))) == nil) }
        let many = motion(Dictionary(uniqueKeysWithValues: (0..<32).map { ($0, Double($0)) }))
        #expect(parsedMotion(many)?.count == XInputEvent.Motion.capacity)
    }

    // MARK: - Gestures

    @Test("Pinches and swipes are read with their distances, scale and end")
    func gestures() {
        for type in 27...32 {
            let isPinch = type < 30
            var bytes = Self.touch(type: UInt16(type)) + [UInt8](repeating: 0, count: isPinch ? 20 : 12)
            func put(_ value: Double, _ offset: Int) {
                withUnsafeBytes(of: Int32(value * 65536)) {
                    for (index, byte) in $0.enumerated() { bytes[offset + index] = byte }
                }
            }
            put(1.5, 48)
            put(-2, 52)
            if isPinch { put(0.75, 64) }
            bytes[isPinch ? 72 : 64] = 9
            bytes[bytes.count - 4] = 1
            let expected = XInputEvent.Gesture(
                kind: isPinch ? .pinch : .swipe, phase: [.began, .moved, .ended][(type - 27) % 3], isCancelled: true,
                device: 9, window: 0x200001, position: Point(x: 100.5, y: -3.25), delta: Point(x: 1.5, y: -2),
                scale: isPinch ? 0.75 : 1, time: 99)
            #expect(parse(bytes) == .gesture(expected))
            for count in 0..<bytes.count { #expect(parse(Array(bytes.prefix(count))) == nil) }
        }
    }
}
