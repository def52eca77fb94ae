"""Shares with 95 % intervals that know that cases come in families: ten spellings of one deed are not ten proofs.

The interval is Wilson's with as many cases as the families are worth: the variance of the share is taken between families
(the ratio estimator's, with the usual n/(n-1)), and the number of independent cases that would give the same variance counts
instead of the number of rows. Where all families agree there is no variance to measure; then only families are counted.
"""

import collections
import math
import re

QUANTILE = 1.959964


def family(row):
    """What belongs together: the row's own word for it, else the beginning of its id with its folder.

    >>> family({"id": "dippy-az-807-d"}), family({"id": "redcode-py-10_10"}), family({"id": "x-1", "family": "own"})
    ('dippy-az ', 'redcode-py-10 ', 'own')
    """
    for name in ("family", "session"):
        if row.get(name):
            return row[name]
    stem = re.sub(r"[-._][^-._]*$", "", re.sub(r"-d$", "", row["id"]))
    return f"{stem} {row.get('cwd', '')}"


def share(hits, families):
    """The share of hits, and its interval. Both arguments have one entry for each row.

    Ten rows in families of one are worth nine, for one degree of freedom went into the share itself:

    >>> [round(x, 3) for x in share([1] * 5 + [0] * 5, range(10))]
    [0.5, 0.227, 0.773]

    Two families of five that agree within themselves are worth one row: one degree of freedom is left.

    >>> [round(x, 3) for x in share([1] * 5 + [0] * 5, [1] * 5 + [2] * 5)]
    [0.5, 0.055, 0.945]

    None of 10 rows in 5 families: five trials without a hit.

    >>> [round(x, 3) for x in share([0] * 10, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5])]
    [0.0, 0.0, 0.434]
    """
    if not hits:
        return math.nan, 0.0, 1.0
    found = sum(hits) / len(hits)
    return (found, *wilson(found, worth(hits, families, found)))


def worth(hits, families, found):
    """How many independent rows these are worth."""
    rest = collections.Counter()
    for hit, name in zip(hits, families):
        rest[name] += hit - found
    count = len(rest)
    if count < 2:
        return 1
    variance = count / (count - 1) * sum(value * value for value in rest.values()) / len(hits) ** 2
    if found in (0, 1) or variance == 0:
        return count
    return max(1.0, min(len(hits), found * (1 - found) / variance))


def wilson(found, number):
    square = QUANTILE * QUANTILE / number
    middle = (found + square / 2) / (1 + square)
    half = QUANTILE / (1 + square) * math.sqrt(found * (1 - found) / number + square / (4 * number))
    return max(0.0, middle - half), min(1.0, middle + half)
