import GlissadeFuzzTargets
import Glibc
import GlissadeMutators
import GlissadePlatform
import GlissadeTime

/// Runs many inputs in several worker processes and counts failures. An input fails if it ends its process, takes
/// more than ten seconds, or takes more memory than the budget. Failing inputs are saved, and the campaign continues
/// with the next input.
@MainActor enum Campaign {
    private static let usage = "usage: fuzzer INPUTS CORPUS FINDINGS [WORKERS [SEED [FIRST]]]"
    private static let chunk = 250
    /// The limit on an input's CPU time, which does not depend on the machine's load. An input that only waits is
    /// ended after `longestWait`.
    private static let longest = Duration.seconds(10)
    private static let longestWait = Duration.seconds(60)

    private struct Worker {
        var process: pid_t
        var progress: CampaignProgress
        var end: Int
        var log: String
    }

    static func run(_ words: [String]) -> CInt {
        switch words.first {
        case "--worker": return runWorker(Array(words.dropFirst()))
        case "--targets":
            for target in FuzzTarget.all { print(target.name, target.seeds, target.longest) }
            return 0
        case "--make": return make(Array(words.dropFirst()))
        default: break
        }
        let numbers = words.dropFirst(3).map { Int($0) }
        guard words.count >= 3, let count = Int(words[0]), !numbers.contains(nil) else {
            print(usage)
            return 2
        }
        let (corpus, findings) = (words[1], words[2])
        let options = numbers.compactMap { $0 }
        let seed = options.count > 1 ? options[1] : 1
        let first = options.count > 2 ? options[2] : 0
        let inputs = CampaignInputs(seed: UInt64(truncatingIfNeeded: seed), corpus: corpus)
        guard !inputs.isEmpty else {
            print("fuzzer: no seeds in \(corpus)")
            return 2
        }
        var campaign = Running(
            inputs: inputs, seed: seed, corpus: corpus, findings: findings, numbers: first..<(first + count))
        return campaign.run(workers: options.first ?? 1)
    }

    private static func hangs(_ worker: Worker) -> Bool {
        guard let start = worker.progress.start, case let wait = HostTime.now() - start, wait > longest else {
            return false
        }
        var clock = clockid_t()
        guard wait < longestWait, clock_getcpuclockid(worker.process, &clock) == 0 else { return true }
        let taken = CampaignWorker.processorTime(of: clock) - worker.progress.processorTime
        return Duration.nanoseconds(taken) > longest
    }

    private static func runWorker(_ words: [String]) -> CInt {
        guard words.count == 6, let seed = Int(words[0]), let start = Int(words[1]), let end = Int(words[2]),
            start <= end
        else { return 2 }
        let inputs = CampaignInputs(seed: UInt64(truncatingIfNeeded: seed), corpus: words[3])
        CampaignWorker.run(inputs, start..<end, CampaignProgress(words[5]), keeping: words[4])
        // `exit` would run destructors while threads of abandoned work may still be running.
        _exit(0)
    }

    /// Writes `count` inputs of origin `structured` to files, starting the search at number `first`. For testing
    /// programs that open files.
    private static func make(_ words: [String]) -> CInt {
        guard words.count == 4, let first = Int(words[0]), let count = Int(words[1]) else { return 2 }
        let inputs = CampaignInputs(seed: 1, corpus: words[2])
        guard !inputs.isEmpty else { return 2 }
        var (made, number) = (0, first)
        while made < count {
            let input = inputs.input(number)
            if input.origin == .structured {
                CampaignWorker.keep(input, as: "film-\(number)", in: words[3])
                made += 1
            }
            number += 1
        }
        return 0
    }

    // MARK: - Running

    private struct Running {
        let inputs: CampaignInputs
        let seed: Int
        let corpus: String
        let findings: String
        let numbers: Range<Int>
        var next = 0
        var crashes: [String] = []
        var hangs: [String] = []
        private let start = HostTime.now()
        private var spawned = 0

        init(inputs: CampaignInputs, seed: Int, corpus: String, findings: String, numbers: Range<Int>) {
            (self.inputs, self.seed, self.corpus, self.findings, self.numbers) = (
                inputs, seed, corpus, findings, numbers
            )
            next = numbers.lowerBound
        }

        @MainActor mutating func run(workers count: Int) -> CInt {
            var progress: [CampaignProgress] = []
            var workers: [Worker?] = []
            for slot in 0..<max(1, count) {
                let path = "\(findings)/.progress-\(getpid())-\(slot)"
                progress.append(CampaignProgress(path))
                workers.append(nil)
            }
            var lastReport = HostTime.now()
            while true {
                for slot in workers.indices {
                    if let worker = workers[slot] { workers[slot] = watch(worker, slot) }
                    if workers[slot] == nil, next < numbers.upperBound {
                        let end = min(numbers.upperBound, next + Campaign.chunk)
                        workers[slot] = spawn(next..<end, progress[slot], slot)
                        next = end
                    }
                }
                if workers.allSatisfy({ $0 == nil }) { break }
                usleep(20_000)
                if .now() - lastReport > .seconds(60) {
                    lastReport = .now()
                    report(progress, isOver: false)
                }
            }
            for slot in workers.indices { unlink("\(findings)/.progress-\(getpid())-\(slot)") }
            report(progress, isOver: true)
            let isClean =
                crashes.isEmpty && hangs.isEmpty
                && progress.allSatisfy { $0.overBudget == 0 } && progress.reduce(0) { $0 + $1.done } == numbers.count
            return isClean ? 0 : 1
        }

        @MainActor private mutating func spawn(_ range: Range<Int>, _ progress: CampaignProgress, _ slot: Int) -> Worker
        {
            progress.next = range.lowerBound
            progress.start = nil
            spawned += 1
            let log = "\(findings)/.log-\(getpid())-\(spawned)"
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            let words = [
                "fuzzer", "--worker", "\(seed)", "\(range.lowerBound)", "\(range.upperBound)", corpus, findings,
                "\(findings)/.progress-\(getpid())-\(slot)",
            ]
            let list = words.map { strdup($0) } + [nil]
            defer { for word in list { free(word) } }
            var process: pid_t = 0
            guard posix_spawn(&process, "/proc/self/exe", &actions, nil, list, environ) == 0 else {
                fatalError("cannot start a worker: error \(errno)")
            }
            return Worker(process: process, progress: progress, end: range.upperBound, log: log)
        }

        /// Checks on a worker. Returns the same worker if it is still running, a new one that continues after a
        /// failed input, or nil if there is nothing left to do.
        @MainActor private mutating func watch(_ worker: Worker, _ slot: Int) -> Worker? {
            var status: CInt = 0
            var usage = rusage()
            let ended = wait4(worker.process, &status, WNOHANG, &usage)
            guard ended >= 0 else { fatalError("cannot wait for a worker: error \(errno)") }
            if ended == 0 {
                guard Campaign.hangs(worker) else { return worker }
                kill(worker.process, SIGKILL)
                wait4(worker.process, &status, 0, &usage)
                hangs.append(keep(worker, as: "hang"))
            } else if status == 0, worker.progress.next == worker.end {
                unlink(worker.log)
                FileTargets.clean(after: worker.process)
                return nil
            } else {
                let reason = status & 0x7F != 0 ? "signal-\(status & 0x7F)" : "exit-\(status >> 8 & 0xFF)"
                crashes.append(keep(worker, as: "crash-\(reason)"))
            }
            FileTargets.clean(after: worker.process)
            worker.progress.record(peak: usage.ru_maxrss, of: worker.progress.next)
            let following = worker.progress.next + 1
            worker.progress.done += 1
            worker.progress.add(inputs.input(worker.progress.next).origin.rawValue)
            return following < worker.end ? spawn(following..<worker.end, worker.progress, slot) : nil
        }

        @MainActor private func keep(_ worker: Worker, as kind: String) -> String {
            let number = worker.progress.next
            let input = inputs.input(number)
            CampaignWorker.keep(input, as: "\(kind)-\(number)", in: findings)
            rename(worker.log, "\(findings)/\(kind)-\(number).log")
            return "\(kind)-\(number).\(input.target.name)"
        }

        @MainActor private func report(_ progress: [CampaignProgress], isOver: Bool) {
            let done = progress.reduce(0) { $0 + $1.done }
            let seconds = max(0.001, (HostTime.now() - start).inSeconds)
            let peak = progress.map(\.peak).max { $0.kibibytes < $1.kibibytes } ?? (0, 0)
            let mix = CampaignInputs.Origin.allCases.map { origin in
                "\(origin) \(progress.reduce(0) { $0 + $1.count(origin.rawValue) })"
            }
            print(
                "\(done) inputs (\(mix.joined(separator: ", "))) in \(Int(seconds)) s, \(Int(Double(done) / seconds)) a second:",
                "crashes \(crashes.count), hangs over 10 s \(hangs.count),",
                "memory over \(CampaignWorker.budget >> 10) MiB \(progress.reduce(0) { $0 + $1.overBudget });",
                "most memory \(peak.kibibytes >> 10) MiB (input \(peak.input))")
            if isOver { for finding in crashes + hangs { print("  \(findings)/\(finding)") } }
            fflush(nil)
        }
    }
}
