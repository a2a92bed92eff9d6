import GlissadeFuzzTargets
import Glibc
import GlissadeMutators
import GlissadePlatform
import GlissadeTime

/// Runs inputs one after the other in this process and records the progress.
@MainActor enum CampaignWorker {
    /// The memory budget of the process, in KiB.
    static let budget = 1 << 20

    static func run(
        _ inputs: CampaignInputs, _ numbers: Range<Int>, _ progress: CampaignProgress, keeping folder: String
    ) {
        for number in numbers {
            let input = inputs.input(number)
            progress.next = number
            resetPeak()
            progress.processorTime = processorTime(of: CLOCK_PROCESS_CPUTIME_ID)
            progress.start = .now()
            input.target.run(input.bytes)
            progress.start = nil
            let peak = peak()
            progress.record(peak: peak, of: number)
            if peak > budget {
                progress.overBudget += 1
                keep(input, as: "memory-\(number)-\(peak >> 10)MiB", in: folder)
            }
            progress.add(input.origin.rawValue)
            progress.done += 1
            progress.next = number + 1
        }
    }

    static func keep(_ input: CampaignInputs.Input, as name: String, in folder: String) {
        guard let file = fopen("\(folder)/\(name).\(input.target.name)", "wb") else { return }
        defer { fclose(file) }
        _ = input.bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    }

    /// Returns the CPU time on a process's clock, in nanoseconds; 0 if the process has ended.
    static func processorTime(of clock: clockid_t) -> Int {
        var time = timespec()
        return clock_gettime(clock, &time) == 0 ? time.tv_sec * 1_000_000_000 + time.tv_nsec : 0
    }

    /// Resets the process's peak memory use to its current use (proc(5), `clear_refs`).
    private static func resetPeak() {
        let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, "5", 1)
        close(descriptor)
    }

    /// Returns the process's peak memory use, in KiB.
    static func peak() -> Int {
        guard let bytes = CampaignInputs.contents(of: "/proc/self/status") else { return 0 }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
