import GlissadeFuzzTargets
import Glibc
import GlissadeMutators

// The functions that libFuzzer calls; it also provides `main`. GLISSADE_FUZZ_TARGET names the target. If
// GLISSADE_FUZZ_CAMPAIGN is set, runs a campaign instead (see `Campaign`).

@MainActor private let target: FuzzTarget = {
    let name = getenv("GLISSADE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    if let target = FuzzTarget.named(name) { return target }
    for target in FuzzTarget.all {
        print("  \(target.name)\(String(repeating: " ", count: 18 - target.name.count))\(target.summary)")
    }
    exit(2)
}()

@_cdecl("LLVMFuzzerInitialize")
package func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    let words = (1..<Int(count.pointee)).compactMap { arguments.pointee[$0].map { String(cString: $0) } }
    MainActor.assumeIsolated {
        if getenv("GLISSADE_FUZZ_CAMPAIGN") != nil { exit(Campaign.run(words)) }
        _ = target
    }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
package func runOnce(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    MainActor.assumeIsolated { target.run(bytes) }
    return 0
}

@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int) -> Int

/// Mutates an input for libFuzzer.
///
/// If the input ends with a script, mutates only the script one time in three. Otherwise mutates the structure of
/// media three times in four, if the format is known. In all other cases, lets libFuzzer mutate the bytes.
@_cdecl("LLVMFuzzerCustomMutator")
package func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: CUnsignedInt) -> Int {
    var random = SeededRandom(seed: UInt64(seed))
    let kind = MainActor.assumeIsolated { target.input }
    guard kind != .bytes, size > 0 else { return mutateBytes(data, size, limit) }
    let scriptLength = kind == .script && size > 2 * PlayScript.length ? PlayScript.length : 0
    if scriptLength > 0, random.oneIn(3) {
        _ = mutateBytes(data + (size - scriptLength), scriptLength, scriptLength)
        return size
    }
    guard !random.oneIn(4) else { return mutateBytes(data, size, limit) }
    let media = Array(UnsafeBufferPointer(start: data, count: size - scriptLength))
    let script = Array(UnsafeBufferPointer(start: data + media.count, count: scriptLength))
    guard let changed = StructuredFiles.changed(media, limit: limit - scriptLength, using: &random) else {
        return mutateBytes(data, size, limit)
    }
    let new = changed + script
    data.update(from: new, count: new.count)
    return new.count
}
