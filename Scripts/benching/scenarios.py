"""Glissade's own scenarios, from its report: the cost of each stage of a frame."""

import json

from . import figures, tables
from .failure import Failure
from .players import Glissade

NAMES = ["rest", "drag", "throw", "push", "scrub", "fullscreen", "float", "list"]
# In the order of a frame; a report may lack some.
STAGES = ["decode", "resolve", "upload", "layers", "pages", "draw", "swap"]


def stages_of(report):
    """{stage: {p50, p95, p99, max}} of the stages that were measured."""
    return {stage: times for stage, times in (report.get("cost_ms") or {}).items() if isinstance(times, dict)}


def summed_up(reports):
    """{column: summary} of the rounds of a scenario."""
    found = {}

    def add(name, value):
        found.setdefault(name, []).append(value)

    for report in reports:
        video, present = report.get("video") or {}, report.get("present") or {}
        for stage, times in stages_of(report).items():
            add(stage, times.get("p50"))
            add(stage + "_p99", times.get("p99"))
        add("shown", video.get("shown"))
        add("due", video.get("due"))
        add("dropped", video.get("dropped"))
        add("present_p99", (present.get("interval_ms") or {}).get("p99"))
        wall, spent = report.get("wall_seconds"), report.get("cpu_seconds")
        add("cpu_percent", 100 * spent / wall if wall and spent is not None else None)
        add("peak_rss_mib", report.get("peak_rss_mib"))
    return {name: figures.summary(values) for name, values in found.items()}


def table(by_scenario, judged, rounds, machine, is_forced=False):
    """A Markdown table: medians, p50 / p99 of each stage."""
    known = {name for summary in by_scenario.values() for name in summary}
    extra = sorted(name for name in known if name + "_p99" in known and name not in STAGES)
    stages = [stage for stage in STAGES if stage in known] + extra

    def value(summary, name, form="{:.2f}"):
        return form.format(summary[name]["median"]) if summary.get(name) else tables.NONE

    rows = [
        [
            scenario,
            *(f"{value(s, stage)} / {value(s, stage + '_p99')}" if s.get(stage) else tables.NONE for stage in stages),
            f"{value(s, 'shown', '{:.0f}')} of {value(s, 'due', '{:.0f}')}",
            value(s, "dropped", "{:.0f}"),
            value(s, "present_p99", "{:.1f}"),
            value(s, "cpu_percent", "{:.0f}"),
            value(s, "peak_rss_mib", "{:.0f}"),
        ]
        for scenario, s in by_scenario.items()
    ]
    header = ["", *(f"{stage}, ms" for stage in stages), "shown", "dropped", "present p99, ms", "CPU, %", "peak MiB"]
    lines = ["# What a frame of Glissade costs", ""]
    if judged["why"]:
        mark = "**Not to be quoted:** " if is_forced else ""
        lines += [f"{mark}{judged['why'][0].upper()}{judged['why'][1:]}.", ""]
    lines += [
        f"{machine['processor'] or 'unknown processor'}, {machine['cpus']} CPUs, Linux {machine['kernel']}, "
        f"{machine['gl_renderer'] or 'unknown renderer'}. By its own report: median and 99th percentile of each stage, "
        f"medians of {tables.rounds(rounds)}.",
        tables.noise_lines(judged),
    ]
    if judged["why"] and not is_forced:
        return "\n".join(lines) + "\n"
    return "\n".join(lines) + "\n\n" + tables.grid(header, rows) + "\n"


def measure(stage, options, clip, tell, reports):
    """- reports: {scenario: [report of each round]}, filled during the run."""
    player = Glissade(options.glissade)
    path = stage.place / "report.json"
    film = stage.clip(options.paths[clip.name])
    for number in range(options.rounds):
        for scenario in options.scenario_list:
            tell(f"{scenario}: round {number + 1} of {options.rounds}")
            stage.listener.rest(0.4)
            path.unlink(missing_ok=True)
            words = [
                player.program,
                "bench",
                "--scenario",
                scenario,
                "--size",
                "1280x720",
                "--audio",
                "pulse" if options.sound else "none",
                "--report",
                path,
                film,
            ]
            play = stage.run(player, words, clip.seconds * 4)
            if play.is_hung or play.status:
                raise Failure(f"glissade bench --scenario {scenario}: " + (play.words or f"status {play.status}"))
            try:
                reports.setdefault(scenario, []).append(json.loads(path.read_text()))
            except (OSError, ValueError) as problem:
                raise Failure(f"no report from glissade bench --scenario {scenario}: {problem}") from problem
