import Glibc
import Time

/// What a worker has done and is about, in memory that it shares with the one that watches it, who reads it when the worker
/// has come to its end as well.
struct CampaignProgress {
    private let words: UnsafeMutablePointer<UInt64>

    private enum Word: Int {
        case next, began, beganTime, done, peak, peakInput, overBudget, origins
    }

    private static let size = 4096

    /// - Parameter path: of a file that is made where there is none.
    init(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, off_t(Self.size)) == 0,
            let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { fatalError("\(path) cannot be shared") }
        close(descriptor)
        words = memory.bindMemory(to: UInt64.self, capacity: Self.size / 8)
    }

    private func number(_ word: Word) -> Int { Int(truncatingIfNeeded: words[word.rawValue]) }
    private func set(_ word: Word, _ value: Int) { words[word.rawValue] = UInt64(truncatingIfNeeded: value) }

    /// The input that is run, or the first that is to be.
    var next: Int {
        get { number(.next) }
        nonmutating set { set(.next, newValue) }
    }

    /// When the input was begun; nil where none is run.
    var began: HostTime? {
        get { number(.began) == 0 ? nil : HostTime(nanoseconds: Int64(number(.began))) }
        nonmutating set { set(.began, Int(newValue?.nanoseconds ?? 0)) }
    }

    /// How much processor time the worker had taken by then, in nanoseconds.
    var processorTime: Int {
        get { number(.beganTime) }
        nonmutating set { set(.beganTime, newValue) }
    }

    var done: Int {
        get { number(.done) }
        nonmutating set { set(.done, newValue) }
    }

    /// The most memory that was seen, in KiB, and the input that it was seen at.
    var peak: (kibibytes: Int, input: Int) {
        get { (number(.peak), number(.peakInput)) }
        nonmutating set {
            set(.peak, newValue.kibibytes)
            set(.peakInput, newValue.input)
        }
    }

    func note(peak kibibytes: Int, of input: Int) {
        if kibibytes > peak.kibibytes { peak = (kibibytes, input) }
    }

    var overBudget: Int {
        get { number(.overBudget) }
        nonmutating set { set(.overBudget, newValue) }
    }

    /// How many inputs of an origin were run.
    func count(_ origin: Int) -> Int { Int(truncatingIfNeeded: words[Word.origins.rawValue + origin]) }
    func add(_ origin: Int) { words[Word.origins.rawValue + origin] += 1 }
}
