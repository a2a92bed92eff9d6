package import GlissadeGeometry
package import GlissadePlatform
package import GlissadeTime

/// A summary of a run, encoded as JSON. A value that was not measured is null, never 0.
package struct FrameReport: Codable, Sendable {
    /// Percentiles of a set of durations, in milliseconds, with three significant digits.
    package struct Times: Codable, Sendable {
        /// The median.
        package var p50: Double
        /// The value that 95 % of the durations do not exceed.
        package var p95: Double
        /// The value that 99 % of the durations do not exceed.
        package var p99: Double
        /// The longest duration.
        package var max: Double
    }

    /// The size of the window at the end of the run, in device pixels.
    package struct Window: Codable, Sendable {
        /// The width in device pixels.
        package var width: Int
        /// The height in device pixels.
        package var height: Int
    }

    /// The video's properties, and counts of its frames.
    package struct Video: Codable, Sendable {
        /// The film's frame rate; nil if unknown.
        @EncodedAsNull package var fps: Double?
        /// The decoder in use at the end of the run, with its device; nil without video.
        @EncodedAsNull package var decoder: String?
        /// The coded width in pixels; nil without video.
        @EncodedAsNull package var width: Int?
        /// The coded height in pixels; nil without video.
        @EncodedAsNull package var height: Int?
        /// The number of frames that became due.
        package var due: Int
        /// The number of frames shown, each counted once.
        package var shown: Int
        /// The number of due frames dropped because the next frame was already due or decoding had to catch up.
        package var dropped: Int
        /// The number of frames that stayed on screen longer than intended by more than half a frame's duration.
        package var repeated: Int
        /// The number of frames uploaded. A frame counts once, even if it is uploaded again.
        package var uploaded: Int
        /// The number of repeated uploads, for instance because the size on screen changed.
        package var resized: Int
        /// The number of conversions to RGB on the frame loop, for both first and repeated uploads.
        package var resolved: Int
        /// How long after its due time each frame was shown.
        @EncodedAsNull package var lateMs: Times?

        enum CodingKeys: String, CodingKey {
            case fps, decoder, width, height, due, shown, dropped, repeated, uploaded, resized, resolved
            case lateMs = "late_ms"
        }
    }

    /// The frames shown in the main window or in all secondary windows, with or without a new video frame.
    package struct Present: Codable, Sendable {
        /// The number of frames shown.
        package var count: Int
        /// The time from one frame to the next, not counting pauses.
        @EncodedAsNull package var intervalMs: Times?

        enum CodingKeys: String, CodingKey { case count, intervalMs = "interval_ms" }
    }

    /// The display's reports about frames of the main window.
    package struct Presented: Codable, Sendable {
        /// The number of frames that became visible.
        package var count: Int
        /// The number of frames replaced by newer ones before they were visible.
        package var skipped: Int
        /// The time from one visible frame to the next.
        @EncodedAsNull package var intervalMs: Times?

        enum CodingKeys: String, CodingKey { case count, skipped, intervalMs = "interval_ms" }
    }

    /// The frames of secondary windows.
    package struct Floating: Codable, Sendable {
        /// The frames shown in secondary windows.
        package var present: Present
        /// The cost of drawing.
        @EncodedAsNull package var draw: Times?
        /// The cost of swaps.
        @EncodedAsNull package var swap: Times?
    }

    /// The cost of each stage, measured over the frames that went through that stage.
    ///
    /// `decode` and `prepare` are CPU times on other threads, and may exceed a frame's duration. The other stages run
    /// one after another on the frame loop, and their costs are wall times. With a GPU, `draw` covers only issuing the
    /// commands, because the GPU draws asynchronously.
    package struct Cost: Codable, Sendable {
        /// The cost of decoding, on all threads of the decoder.
        @EncodedAsNull package var decode: Times?
        /// The cost of converting to RGB ahead of the frame loop; nil if frames are used as they were decoded.
        @EncodedAsNull package var prepare: Times?
        /// The cost of converting to RGB on the frame loop, for frames whose size on screen was not known in advance.
        /// Nil with a GPU, whose shader converts frames.
        @EncodedAsNull package var resolve: Times?
        /// The cost of uploading the frame to the renderer.
        @EncodedAsNull package var upload: Times?
        /// The cost of layout and of building the display list.
        @EncodedAsNull package var compose: Times?
        /// The cost of issuing the draw calls, or of drawing on the CPU.
        @EncodedAsNull package var draw: Times?
        /// The cost of the swap, including its wait for the display.
        @EncodedAsNull package var swap: Times?
        /// The cost of the stages from `resolve` to `swap` together, per frame of the main window.
        @EncodedAsNull package var loop: Times?
    }

    /// The version of this format. Increased when the meaning of a key changes.
    package var version = 1
    /// The path or URL of the media.
    package var file: String
    /// The renderer's name (`RendererTraits.name`).
    package var renderer: String
    /// The main window.
    package var window: Window
    /// The name of the scenario that was run.
    package var scenario: String
    /// The video's properties, and counts of its frames.
    package var video: Video
    /// The frames shown in the main window.
    package var present: Present
    /// The display's reports; nil if the display makes none.
    @EncodedAsNull package var presented: Presented? = nil
    /// The frames of secondary windows; nil if no such frames were shown.
    @EncodedAsNull package var floating: Floating? = nil
    /// The cost of each stage of a frame, in milliseconds.
    package var costMs: Cost
    /// The A/V offset of the frames shown, as an absolute value in milliseconds; nil without audio.
    @EncodedAsNull package var avOffsetMs: Times?
    /// The time from the start of the run to the film's first frame on screen, in milliseconds.
    @EncodedAsNull package var firstFrameMs: Double?
    /// The CPU time used by all threads of the process during the run, in seconds.
    @EncodedAsNull package var cpuSeconds: Double?
    /// The duration of the run, in seconds.
    @EncodedAsNull package var wallSeconds: Double?
    /// The peak resident memory of the process, in MiB.
    @EncodedAsNull package var peakRssMib: Double?

    enum CodingKeys: String, CodingKey {
        case version, file, renderer, window, scenario, video, present, presented, floating
        case costMs = "cost_ms"
        case avOffsetMs = "av_offset_ms"
        case firstFrameMs = "first_frame_ms"
        case cpuSeconds = "cpu_seconds"
        case wallSeconds = "wall_seconds"
        case peakRssMib = "peak_rss_mib"
    }

    /// Summarizes `log`, and adds the process's CPU time during the run and its peak memory.
    package init(_ log: FrameLog, of run: Run, film: Film) {
        let usage = ResourceUsage()
        file = run.file
        renderer = run.renderer
        window = Window(width: run.window.width, height: run.window.height)
        scenario = run.scenario
        video = Video(
            fps: film.frameRate, decoder: film.decoder, width: film.size?.width, height: film.size?.height,
            due: film.due, shown: log.shownCount, dropped: film.dropped, repeated: log.repeatedCount,
            uploaded: log.uploadCount, resized: log.resizeCount, resolved: log.conversionCount,
            lateMs: log.lateness.summary)
        present = Present(count: log.presentCount, intervalMs: log.intervals.summary)
        if log.presentedCount + log.skippedCount > 0 {
            presented = Presented(
                count: log.presentedCount, skipped: log.skippedCount, intervalMs: log.presentedIntervals.summary)
        }
        if log.floatingCount > 0 {
            floating = Floating(
                present: Present(count: log.floatingCount, intervalMs: log.floatingIntervals.summary),
                draw: log.floatingDraws.summary, swap: log.floatingSwaps.summary)
        }
        costMs = Cost(
            decode: log.decodes.summary, prepare: log.preparations.summary, resolve: log.conversions.summary,
            upload: log.uploads.summary, compose: log.compositions.summary, draw: log.draws.summary,
            swap: log.swaps.summary, loop: log.rounds.summary)
        avOffsetMs = log.audioOffsets.summary
        firstFrameMs = log.firstFrame.map { ($0 - run.started).inMilliseconds }
        cpuSeconds = (usage.cpuTime - (run.before?.cpuTime ?? .zero)).inSeconds
        wallSeconds = (HostTime.now() - run.started).inSeconds
        peakRssMib = Double(usage.peakMemory) / 1_048_576
    }
}

extension FrameReport {
    /// The run that a report describes.
    package struct Run: Sendable {
        /// The path or URL of the media.
        package var file: String
        /// The renderer's name (`RendererTraits.name`).
        package var renderer: String
        /// The main window's size at the end, in device pixels.
        package var window: PixelSize
        /// The name of the scenario.
        package var scenario: String
        /// When the process started. For a later run in the same process, when that run started.
        package var started: HostTime
        /// The process's resource usage at `started`; nil if the process had just started.
        package var before: ResourceUsage?

        package init(
            file: String, renderer: String, window: PixelSize, scenario: String, started: HostTime,
            before: ResourceUsage? = nil
        ) {
            self.file = file
            self.renderer = renderer
            self.window = window
            self.scenario = scenario
            self.started = started
            self.before = before
        }
    }

    /// The properties of the film that was played, and the counts of its due and dropped frames.
    package struct Film: Sendable {
        /// Frames per second; nil if unknown.
        package var frameRate: Double?
        /// The video decoder and its device; nil without video.
        package var decoder: String?
        /// The video's coded size, in pixels; nil without video.
        package var size: PixelSize?
        /// The number of frames that became due.
        package var due: Int
        /// The number of due frames dropped because the next frame was already due or decoding had to catch up.
        package var dropped: Int

        package init(
            frameRate: Double? = nil, decoder: String? = nil, size: PixelSize? = nil, due: Int = 0, dropped: Int = 0
        ) {
            self.frameRate = frameRate
            self.decoder = decoder
            self.size = size
            self.due = due
            self.dropped = dropped
        }
    }

    /// A stage in the processing of a frame (`Cost`).
    package enum Stage: String, CaseIterable, Sendable {
        case decode, prepare, resolve, upload, compose, draw, swap
    }
}

extension FrameReport.Cost {
    /// The cost of `stage`; nil if it was not measured.
    package subscript(stage: FrameReport.Stage) -> FrameReport.Times? {
        switch stage {
        case .decode: decode
        case .prepare: prepare
        case .resolve: resolve
        case .upload: upload
        case .compose: compose
        case .draw: draw
        case .swap: swap
        }
    }
}
