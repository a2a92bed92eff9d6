import Foundation
import GlissadeTestSupport

/// Counts the heap allocations of a program's threads, with `Tests/CountingAllocations` loaded into the program.
struct AllocationCounter {
    /// The main thread, and the thread that shows the film while the main thread is busy.
    static let drawing: Set = ["glissade", "film"]

    /// The variables with which the program is started.
    let environment: [String: String?]
    private let counts: String

    private static let library = Result {
        let folder = try TemporaryFolder.make()
        let source = Repository.path("Tests/CountingAllocations/counting.c")
        try Program.tool("cc", "-std=gnu11", "-shared", "-fPIC", "-O1", "-o", folder + "/counting.so", source)
        return folder + "/counting.so"
    }

    init(in folder: String) throws {
        counts = folder + "/allocations"
        try Data(count: 4096).write(to: URL(fileURLWithPath: counts))
        environment = ["LD_PRELOAD": try Self.library.get(), "GLISSADE_ALLOCATIONS": counts]
    }

    /// Returns the number of allocations so far of the program's threads with the given names.
    ///
    /// - Throws: If one of the threads does not exist, or has never allocated.
    func allocations(of program: Program, threads: Set<String>) throws -> Int {
        let data = try Data(contentsOf: URL(fileURLWithPath: counts))
        var (sum, found) = (0, Set<String>())
        data.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count, by: 16) {
                let id = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let path = "/proc/\(program.id)/task/\(id)/comm"
                guard let name = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
                let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
                guard threads.contains(trimmed) else { continue }
                found.insert(trimmed)
                sum += Int(bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
            }
        }
        guard found == threads else {
            throw Program.Failure(description: "no allocations by \(threads.subtracting(found)) counted")
        }
        return sum
    }
}
