import Glibc
import GlissadeTime

/// A worker's progress, in memory shared with the campaign, which can read it even after the worker has died.
struct CampaignProgress {
    private let words: UnsafeMutablePointer<UInt64>

    private enum Word: Int {
        case next, start, startTime, done, peak, peakInput, overBudget, origins
    }

    private static let size = 4096

    /// Maps the file at `path`, which is created if it is missing.
    init(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, off_t(Self.size)) == 0,
            let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { fatalError("cannot map \(path)") }
        close(descriptor)
        words = memory.bindMemory(to: UInt64.self, capacity: Self.size / 8)
    }

    private func number(_ word: Word) -> Int { Int(truncatingIfNeeded: words[word.rawValue]) }
    private func set(_ word: Word, _ value: Int) { words[word.rawValue] = UInt64(truncatingIfNeeded: value) }

    /// The number of the current input; between inputs, of the next one.
    var next: Int {
        get { number(.next) }
        nonmutating set { set(.next, newValue) }
    }

    /// When the current input was started; nil between inputs.
    var start: HostTime? {
        get { number(.start) == 0 ? nil : HostTime(nanoseconds: Int64(number(.start))) }
        nonmutating set { set(.start, Int(newValue?.nanoseconds ?? 0)) }
    }

    /// The worker's CPU time when the current input was started, in nanoseconds.
    var processorTime: Int {
        get { number(.startTime) }
        nonmutating set { set(.startTime, newValue) }
    }

    var done: Int {
        get { number(.done) }
        nonmutating set { set(.done, newValue) }
    }

    /// The highest memory use of any input so far, in KiB, and the number of that input.
    var peak: (kibibytes: Int, input: Int) {
        get { (number(.peak), number(.peakInput)) }
        nonmutating set {
            set(.peak, newValue.kibibytes)
            set(.peakInput, newValue.input)
        }
    }

    func record(peak kibibytes: Int, of input: Int) {
        if kibibytes > peak.kibibytes { peak = (kibibytes, input) }
    }

    var overBudget: Int {
        get { number(.overBudget) }
        nonmutating set { set(.overBudget, newValue) }
    }

    /// Returns how many inputs of an origin have been run.
    func count(_ origin: Int) -> Int { Int(truncatingIfNeeded: words[Word.origins.rawValue + origin]) }
    func add(_ origin: Int) { words[Word.origins.rawValue + origin] += 1 }
}
