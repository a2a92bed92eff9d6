extension TransportStream {
    package mutating func change(using random: inout SeededRandom) {
        guard !packets.isEmpty else { return }
        switch random.below(14) {
        case 0, 1: rearrange(using: &random)
        case 2, 3, 4: changeTimes(using: &random)
        case 5: shiftTimes(using: &random)
        case 6: changeClock(using: &random)
        case 7: changeContinuity(using: &random)
        case 8, 9, 10: changeSection(using: &random)
        case 11: changeHeader(using: &random)
        case 12: changeElementary(using: &random)
        default: changePayload(using: &random)
        }
    }

    /// The number of packets beyond which no more are duplicated.
    private static let mostPackets = 20_000

    private mutating func rearrange(using random: inout SeededRandom) {
        let place = random.below(packets.count)
        let end = min(packets.count, place + 1 + (random.oneIn(2) ? 0 : random.below(16)))
        switch random.below(4) {
        case 0:
            if end - place < packets.count { packets.removeSubrange(place..<end) }
        case 1:
            guard packets.count < Self.mostPackets else { return }
            packets.insert(contentsOf: packets[place..<end], at: random.below(packets.count))
        case 2:
            let moved = Array(packets[place..<end])
            packets.removeSubrange(place..<end)
            packets.insert(contentsOf: moved, at: random.below(packets.count + 1))
        default: packets.swapAt(place, random.below(packets.count))
        }
    }

    /// Returns the index of a random packet that matches; nil if none does.
    private func packet(using random: inout SeededRandom, where isWanted: (Packet) -> Bool) -> Int? {
        packets.indices.filter { isWanted(packets[$0]) }.randomElement(using: &random)
    }

    private mutating func changeTimes(using random: inout SeededRandom) {
        guard let index = packet(using: &random, where: { !$0.times.isEmpty }) else { return }
        for place in packets[index].times where random.oneIn(2) {
            packets[index].setTime(ExtremeNumbers.integer(using: &random), at: place)
        }
        if packets[index].times.count == 2, random.oneIn(3) {
            let times = packets[index].times
            let (first, second) = (packets[index].time(at: times[0]), packets[index].time(at: times[1]))
            packets[index].setTime(second, at: times[0])
            packets[index].setTime(first, at: times[1])
        }
    }

    /// Shifts all times from a random packet on, as if the clock had been set or had wrapped around.
    private mutating func shiftTimes(using random: inout SeededRandom) {
        let shift = ExtremeNumbers.integer(using: &random)
        let pid = random.oneIn(2) ? packets[random.below(packets.count)].pid : nil
        for index in random.below(packets.count)..<packets.count where pid == nil || packets[index].pid == pid {
            for place in packets[index].times {
                packets[index].setTime(packets[index].time(at: place) &+ shift, at: place)
            }
        }
    }

    private mutating func changeClock(using random: inout SeededRandom) {
        guard let index = packet(using: &random, where: { $0.clockReference != nil }) else { return }
        packets[index].setClockReference(
            ExtremeNumbers.integer(using: &random), fraction: UInt16(truncatingIfNeeded: random.next()))
        if let flags = packets[index].adaptationFlags, random.oneIn(2) { packets[index].bytes[flags] ^= 0x80 }
    }

    private mutating func changeContinuity(using random: inout SeededRandom) {
        let index = random.below(packets.count)
        if random.oneIn(2) {
            packets[index].continuity = random.byte()
            return
        }
        // Otherwise renumbers the packets of one stream correctly, so that moved or removed packets go unnoticed.
        let pid = packets[index].pid
        var count: UInt8 = 0
        for index in packets.indices where packets[index].pid == pid && packets[index].payload != nil {
            packets[index].continuity = count
            count = (count + 1) & 0x0F
        }
    }

    /// Mutates a program or stream table and corrects its checksum.
    private mutating func changeSection(using random: inout SeededRandom) {
        guard let index = packet(using: &random, where: { $0.section != nil }), let section = packets[index].section
        else { return changeHeader(using: &random) }
        for _ in 0..<(1 + random.below(3)) {
            // Usually leaves the length alone, because a wrong one makes most sections invalid.
            let first = random.oneIn(10) ? 0 : 3
            let place = section.lowerBound + first + random.below(section.count - 4 - first)
            packets[index].bytes[place] = random.pick([
                0, 0xFF, 0x1B, 0x24, 0x0F, 0x11, 0x06, 0x02, 0x81, 0x90, 0x59, random.byte(),
                packets[index].bytes[place] ^ 1 << UInt8(random.below(8)),
            ])
        }
        packets[index].sealSection()
    }

    private mutating func changeHeader(using random: inout SeededRandom) {
        let index = random.below(packets.count)
        switch random.below(5) {
        case 0: packets[index].pid = random.oneIn(2) ? packets[random.below(packets.count)].pid : random.below(8192)
        case 1: packets[index].bytes[3] ^= UInt8(random.pick([0x10, 0x20, 0x40, 0x80, 0xC0]))
        case 2: packets[index].bytes[1] ^= UInt8(random.pick([0x20, 0x40, 0x80]))
        case 3: packets[index].bytes[4] = random.pick([0, 1, 182, 183, 184, 255, random.byte()])
        default:
            if let flags = packets[index].adaptationFlags { packets[index].bytes[flags] = random.byte() }
        }
    }

    /// Mutates the stream ID, the length or the flags of a PES header.
    private mutating func changeElementary(using random: inout SeededRandom) {
        guard let index = packet(using: &random, where: { $0.elementary != nil }),
            let place = packets[index].elementary
        else { return }
        let field = random.pick([3, 4, 5, 6, 7, 8])
        packets[index].bytes[place + field] = random.pick([0, 0xFF, 0x80, 0xC0, 0xBD, 0xE0, random.byte()])
    }

    private mutating func changePayload(using random: inout SeededRandom) {
        let index = random.below(packets.count)
        guard let payload = packets[index].payload else { return }
        var content = Array(packets[index].bytes[payload...])
        let length = content.count
        ByteChanges.change(&content, using: &random)
        content = Array((content + Array(repeating: 0xFF, count: length)).prefix(length))
        packets[index].bytes.replaceSubrange(payload..., with: content)
    }
}
