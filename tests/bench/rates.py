"""Shares with 95 % intervals that know that cases come in families: ten spellings of one deed are not ten proofs.

The same as `portcullis eval` does, with the same worked examples (`interval.rs` there says why): Wilson's interval on as many rows
as the families are worth, with Student's t.
"""

import collections
import math
import re

NORMAL = 1.959964
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
           2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]
# How much a row of a family tells of the others where nothing shows it, and how many errors weigh as much as that assumption.
ALIKE, SHOWING = 1 / 3, 10
PROJECT = "/home/dev/proj"


def family(row):
    """What belongs together: its session, its family, the project it was made in, or those whose ids begin alike.

    >>> family({"id": "dippy-az-807"}), family({"id": "redcode-py-10_10"}), family({"id": "x-1", "family": "own"})
    ('dippy-az', 'redcode-py-10', 'own')
    >>> family({"id": "x-1", "cwd": "/home/dev/other"}), family({"id": "x-1", "cwd": "/home/dev/proj"})
    ('/home/dev/other', 'x')
    """
    project = row.get("cwd") if row.get("cwd") != PROJECT else None
    return row.get("session") or row.get("family") or project or re.sub(r"[-_/.:#][^-_/.:#]*$", "", row["id"])


def share(hits, families):
    """The share of hits, and its interval. Both arguments have one entry for each row.

    Clusters that differ, and such as are alike:

    >>> [round(x, 4) for x in share(([0] * 10) * 2 + ([1] * 4 + [0] * 6) * 2, [at // 10 for at in range(40)])]
    [0.2, 0.0313, 0.659]
    >>> [round(x, 4) for x in share(([1] * 5 + [0] * 20) * 40, [at // 25 for at in range(1000)])]
    [0.2, 0.1717, 0.2317]

    Nothing in twenty families of fifty, and in ten; there the first error does not bring the upper end down:

    >>> [round(x, 4) for x in share([0] * 1000, [at // 50 for at in range(1000)])]
    [0.0, 0.0, 0.0506]
    >>> [round(share([1] * errors + [0] * (500 - errors), [at // 50 for at in range(500)])[2], 4) for errors in (0, 1)]
    [0.0986, 0.143]

    Rows of one family are told of by themselves alone:

    >>> [round(x, 4) for x in share([1] * 10 + [0] * 90, ["one"] * 100)]
    [0.1, 0.0547, 0.1757]
    """
    if not hits:
        return math.nan, 0.0, 1.0
    if len(set(families)) == 1:
        families = range(len(hits))
    tallies = collections.defaultdict(lambda: [0, 0])
    for hit, name in zip(hits, families):
        tallies[name][0] += 1
        tallies[name][1] += hit
    count = sum(map(int, hits))
    found = count / len(hits)
    worth = len(hits) / design_effect(len(hits), count, list(tallies.values()))
    unseen = 1 - 0.05 ** (1 / worth)
    if count == 0:
        return found, 0.0, unseen
    if count == len(hits):
        return found, 1 - unseen, 1.0
    return (found, *wilson(found, worth, student(len(tallies) - 1)))


def design_effect(rows, hits, tallies):
    """How many rows of these families say as much as one independent row."""
    found = hits / rows
    assumed = 1 + (sum(number * number for number, _ in tallies) / rows - 1) * ALIKE
    fewer = min(hits, rows - hits)
    if fewer == 0:
        return assumed
    spread = sum((errors - found * number) ** 2 for number, errors in tallies)
    variance = len(tallies) / (len(tallies) - 1) * spread / rows ** 2
    shown = max(1, variance * rows / (found * (1 - found)))
    return (fewer * shown + SHOWING * assumed) / (fewer + SHOWING)


def student(freedom):
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    z, n = NORMAL, freedom
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n * n)


def wilson(found, worth, quantile):
    square = quantile * quantile
    scale = 1 + square / worth
    middle = (found + square / (2 * worth)) / scale
    half = quantile / scale * math.sqrt(found * (1 - found) / worth + square / (4 * worth * worth))
    return max(0.0, middle - half), min(1.0, middle + half)
