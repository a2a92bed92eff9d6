"""Results as a run writes them, for what draws and tabulates them."""

from benching import figures, noise


def pass_result(name="play", mode="play", window="1280x720", values=None, histograms=None, notes=()):
    """- values: {figure: {player: [value…]}}"""
    return {
        "name": name,
        "what": "what it is",
        "clip": "1080p60-h264-8",
        "window": window,
        "mode": mode,
        "film_seconds": 20,
        "figures": {
            figure: {player: figures.summary(of) for player, of in by_player.items()}
            for figure, by_player in (values or {}).items()
        },
        "interval_histograms_1ms": histograms or {},
        "notes": list(notes),
    }


def results(passes=(), why=None, is_forced=False, is_interrupted=False):
    return {
        "version": 1,
        "date": "2026-01-02T03:04:05+00:00",
        "machine": {"processor": "A <fast> & wide one", "cpus": 2, "kernel": "6.1", "gl_renderer": "llvmpipe"},
        "players": {
            "glissade": {"title": "Glissade", "version": "1.0"},
            "ffplay": {"title": "ffplay", "version": None},
        },
        "left_out": ["VLC: not installed"],
        "options": {"rounds": 5, "threads": "auto", "sound": False},
        "comparison": {
            "why": why,
            "is_forced": is_forced,
            "is_interrupted": is_interrupted,
            "is_valid": why is None,
            "noise": noise.judge([0.01, 0.02], [0.03], [0.1, 0.1, 0.1]),
        },
        "passes": list(passes),
    }
