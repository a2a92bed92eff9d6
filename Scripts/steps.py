"""How even the steps are in which a dragged page moves: its positions at the display's refreshes against a smooth curve."""

import statistics

# The positions of the fit on each side of the one that is compared, and its degree.
NEIGHBORS, DEGREE = 4, 3
# Positions around a turning point are left out: there, no smooth curve is right.
TURN = 0.06
# Refreshes a second of the X server (Xvfb).
REFRESH_RATE = 60


def solve(matrix, right):
    """Solves a small system of linear equations by elimination."""
    size = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(size):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
    return [rows[row][size] / rows[row][row] for row in range(size)]


def fitted(points, at):
    """The value at `at` of the polynomial of least squares through `points`."""
    span = max(abs(x - at) for x, _ in points)
    scaled = [((x - at) / span, y) for x, y in points]
    powers = range(DEGREE + 1)
    matrix = [[sum(x ** (i + j) for x, _ in scaled) for j in powers] for i in powers]
    return solve(matrix, [sum(y * x**i for x, y in scaled) for i in powers])[0]


def stretches(hand):
    """The times in seconds between which the pointer moved at constant speed, from the lines of `witness drive`."""
    glides = [line.split(",") for line in hand if ",glide:" in line]
    for number, words in enumerate(glides):
        began, seconds = int(words[0]) / 1e9, float(words[-1])
        # The first glides bring the pointer to the page and the page to where it begins.
        if number >= 2:
            yield began + TURN, began + seconds - TURN


def at_refreshes(points):
    """The points with the number of a refresh in place of the time."""
    numbered, refresh, last = [], 0, None
    for at, left in points:
        # Each position is of a refresh of its own, although the server's timer and the witness have their delays.
        refresh += max(1, round((at - last) * REFRESH_RATE)) if last else 0
        last = at
        numbered.append((refresh, left))
    return numbered


def deviations(changes, hand):
    """The deviation of each position from the fit, in pixels, sorted; and the number of positions per second."""
    points, last = [], None
    for time_ns, region, _, _, left, _ in (line.split(",") for line in changes):
        if region == "picture" and left and left != last:
            last = left
            points.append((int(time_ns) / 1e9, int(left)))
    found, positions, seconds = [], 0, 0.0
    for began, ended in stretches(hand):
        inside = at_refreshes([(at, left) for at, left in points if began < at < ended])
        positions += len(inside)
        seconds += ended - began
        for index in range(NEIGHBORS, len(inside) - NEIGHBORS):
            at, left = inside[index]
            found.append(abs(left - fitted(inside[index - NEIGHBORS : index + NEIGHBORS + 1], at)))
    return sorted(found), positions / seconds if seconds else 0.0


def described(found, per_second):
    """The deviations as a line for people."""
    if not found:
        return "no positions"
    within = sum(value <= 1 for value in found) / len(found)
    return (
        f"{per_second:.1f} positions a second; {len(found)} against a fit: median {statistics.median(found):.2f} px, 95 % "
        f"{found[int(0.95 * (len(found) - 1))]:.2f}, most {found[-1]:.2f}; {100 * within:.1f} % within 1 px")
