#!/usr/bin/env python3
"""Computes numbers in sentences of research/papers again from the committed tables, with Python's standard library alone.

    python3 research/replication/sentences.py     one line a sentence; exit code 1 where a page does not have it

Each entry has a page and a piece of its text with the numbers left out: what the tables give is filled in, and the
page has to have exactly that.
"""
import csv
import functools
import itertools
import math
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BITRATE, STALL = "mean bitrate, kbit/s", "rebuffer rate, %"
LATER, SHARE = "TCP share after discovery, %", "TCP share, %"


@functools.cache
def table(name):
    folder = "docs/examples/results" if (ROOT / f"docs/examples/results/{name}.csv").exists() else "campaigns/results"
    with (ROOT / folder / f"{name}.csv").open(newline="") as text:
        rows = [row for row in csv.DictReader(text) if row["state"] == "finished"]
    return [row for row in rows if row.get("A/A") != "A/A"] if name != "gate-aa" else rows


def values(name, column, **arm):
    """The values of a column by pair, of the sessions that have these factors."""
    rows = [row for row in table(name) if all(row[factor] == value for factor, value in arm.items())]
    return {row["pair"]: float(row[column]) for row in rows if row[column]}


def differences(name, column, one, other, **both):
    first, second = values(name, column, **one, **both), values(name, column, **other, **both)
    # Without what rounding leaves: nine digits.
    return [float(f"{first[pair] - second[pair]:.9g}") for pair in first if pair in second]


def mean_difference(*asked, **both):
    return statistics.mean(differences(*asked, **both))


def by_transport(name, column, first="h3-only", second="h1", **both):
    return differences(name, column, {"transport": first}, {"transport": second}, **both)


def signed_rank(found):
    """Wilcoxon's exact two-sided p with Pratt's zeros."""
    sizes = sorted(abs(each) for each in found)
    rank = {size: sizes.index(size) * 2 + 1 + sizes.count(size) for size in sizes}  # Twice the middle rank.
    patterns = {0: 1}
    for each in found:
        for total, count in list(patterns.items()) if each else []:
            patterns[total + rank[abs(each)]] = patterns.get(total + rank[abs(each)], 0) + count
    low = min(sum(rank[abs(each)] for each in found if each * sign > 0) for sign in (1, -1))
    return min(1, 2 * sum(n for total, n in patterns.items() if total <= low) / sum(patterns.values()))


def mann_whitney(one, other):
    """Exact two-sided p of U over every way to share out the values, ties counted half."""
    def u(first, second):
        return sum((a > b) + (a == b) / 2 for a in first for b in second)

    both, middle = [*one, *other], len(one) * len(other) / 2
    found, far, count = abs(u(one, other) - middle), 0, 0
    ranks = [sum((a > b) + (a == b) / 2 for b in both) for a in both]
    least = len(one) * len(one) / 2
    for places in itertools.combinations(range(len(both)), len(one)):
        count += 1
        far += abs(sum(ranks[place] for place in places) - least - middle) >= found - 1e-9
    return far / count


def signed(value, decimals=0):
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{abs(value):.{decimals}f}"


def spread(found, scale=1, decimals=1):
    return [f"{signed(end / scale, decimals).lstrip('+')}" for end in (min(found), max(found))]


def windows():
    """2019, Table III: by what fits on the path, 1000 packets less 500, in Mbit/s."""
    for column in ("throughput, kbit/s", "effective throughput, kbit/s"):
        found = {"long": [], "short": []}
        for row in table("2019-parameters-table-3"):
            if not row["controllers"].endswith("max1000"):
                continue
            other = values("2019-parameters-table-3", column, controllers="tcp=cubic:quic=cubic-x2-max500")
            _, kbps, _, rtt = row["network"].split("-")
            place = "long" if int(kbps) * int(rtt) / 8 / 1200 >= 550 else "short"
            found[place].append(float(row[column]) - other[row["pair"]])
        yield found


def gate(network):
    pairs = {}
    for row in table("gate-aa"):
        if row["network"].startswith(network):
            pairs.setdefault(row["pair"], []).append(float(row[BITRATE]))
    logs = [math.log(one / other) for one, other in pairs.values()]
    return 100 * math.sqrt(statistics.mean(each * each for each in logs)), pairs.values()


def means(name, column, arms, decimals=0, scale=1, **both):
    """The mean of a column in each of these transports, as text."""
    found = [statistics.mean(values(name, column, transport=arm, **both).values()) for arm in arms.split()]
    return [f"{each / scale:.{decimals}f}" for each in found]


def reach(name, column, scale=1, decimals=1, **arm):
    """Smallest and greatest value of a column."""
    found = values(name, column, **arm).values()
    return [f"{end(found) / scale:.{decimals}f}" for end in (min, max)]


def racing_sessions(name):
    return [row for row in table(name) if row["transport"] == "h3-racing"]


def sentences():
    racing, letter, thesis = "papers/2024-racing.md", "papers/2020-abr-over-quic.md", "papers/2018-advanced-transport.md"
    study, first = "papers/2019-quic-parameters.md", "papers/README.md"
    four = ["2024-racing-dvl", "2024-racing-dvl-drawn", "2024-racing-limiter", "2024-racing-limiter-drawn"]
    later = [float(row[LATER]) for name in four[:2] for row in racing_sessions(name)]
    yield first, "TCP share after discovery is {} % in all {} sessions of h3-racing", [f"{max(later):.0f}", len(later)]
    yield racing, "There was no protocol switch, and TCP carried only discovery.", [] if not any(
        float(row["protocol switches"]) for name in four for row in racing_sessions(name)) else ["never"]
    drawn, limited = "2024-racing-dvl-drawn", "2024-racing-limiter-drawn"
    against = [by_transport(name, BITRATE, "h3-racing", "h2") for name in (drawn, limited)]
    yield first, "{} kbit/s (", [signed(statistics.mean(against[0]), 1)]
    yield racing, "`h3-racing` is {} kbit/s below `h2`", [f"{-statistics.mean(against[0]):.1f}"]
    yield first, "{} kbit/s (", [signed(statistics.mean(against[1]))]
    yield racing, "`h3-racing` is {} kbit/s below `h2`", [f"{-statistics.mean(against[1]):.0f}"]
    alone = by_transport(drawn, BITRATE, "h3-only", "h3-racing")
    yield racing, "nine differences are at most {} kbit/s and one is {}", [
        f"{sorted(map(abs, alone))[8]:.2f}", f"{max(map(abs, alone)):.1f}"]
    rates = [values(limited, BITRATE, transport=name) for name in ("h3-racing", "h2")]
    yield racing, "plays {} kbit/s behind a limit of 86 kbit/s, and {} kbit/s behind a limit of 982", [
        f"{end(rates[0].values()):.0f}" for end in (min, max)]
    houses, policies = "2020-letter-households", ("bola", "dashjs-dynamic", "mpc-robust")
    audio = [by_transport(houses, "audio response latency, ms", rule=rule) for rule in policies]
    for found in audio:
        yield first, "/cubic: {} ms (", [signed(statistics.mean(found))]
    yield letter, "by {} to {} ms, on {} of 20 households with each rule", [
        *(f"{end(map(statistics.mean, audio)):.0f}" for end in (min, max)),
        *{sum(each > 0 for each in found) for found in audio}]
    quick = [by_transport(houses, "throughput, kbit/s", rule=rule) for rule in policies]
    yield letter, "it is {} to {} kbit/s higher over QUIC", [
        f"{end(map(statistics.mean, quick)):.0f}" for end in (min, max)]
    for column, decimals in ((BITRATE, 0), ("video response latency, ms", 0)):
        for rule in policies:
            found = by_transport(houses, column, rule=rule)
            yield first, f"{rule}/cubic: {{}} ", [signed(statistics.mean(found), decimals)]
    plain, effective = windows()
    yield study, "1000 packets bring {} to {} Mbit/s more `throughput` than 500 ({} to {} Mbit/s more", [
        *spread(plain["long"], 1000), *spread(effective["long"], 1000)]
    yield study, "the difference is {} to +{} Mbit/s ({} to +{})", [
        *spread(plain["short"], 1000), *spread(effective["short"], 1000)]
    for name in ("2019-parameters-table-3", "2019-parameters-table-4", "2019-parameters-table-4-beside"):
        sender = "tcp=cubic:quic=cubic-x{}".format
        ends = [("2-max1000", "2-max500"), ("2-max2000", "2-max500")] if name.endswith("3") else [("6", "2"), ("10", "2")]
        for one, other in ends:
            found = mean_difference(name, "throughput, kbit/s", {"controllers": sender(one)}, {"controllers": sender(other)})
            yield first, "{} kbit/s (", [signed(found)]
    one, two = "2018-thesis-table-10", "2018-thesis-table-10-own-senders"
    for transport, network, column in (("h1", "np2b-typical-delay-typical-loss", BITRATE),
                                       ("h2", "np2b-large-delay-large-loss", STALL)):
        arms = [list(values(name, column, transport=transport, network=network).values()) for name in (one, two)]
        yield thesis, "({} and {} ", [f"{statistics.mean(arm):.{0 if column == BITRATE else 1}f}" for arm in arms]
        yield thesis, "p = {}", [f"{mann_whitney(*arms):.3f}"]
    seeks = by_transport("seeks", "wait after seek, ms", second="h2")
    yield first, "{} ms (", [signed(statistics.mean(seeks))]
    yield thesis, "h3 is lower by {} ms", [f"{-statistics.mean(seeks):.0f}"]
    for transport, count in (("h1", "6"), ("h1", "12"), ("h2", "6"), ("h2", "12")):
        found = differences("split", BITRATE, {"ranges": count}, {"ranges": "1"}, transport=transport)
        yield first, f"{transport} split-{count} against split-1: {{}} kbit/s (", [
            signed(statistics.mean(found))]
    for network in ("constant-10mbps", "wifi", "lte", "3g"):
        found = by_transport("2017-deployment-table-1", "join time, ms", "h3-racing", network=network)
        yield first, f"{network}: {{}} ms (", [signed(statistics.mean(found))]
    steered = [differences("steering-dvl", column, {"steering": "throughput"}, {"steering": "browser"},
                           transport="h3-racing") for column in (BITRATE, STALL)]
    usual = statistics.mean(values("steering-dvl", STALL, transport="h3-racing", steering="browser").values())
    yield "steering.md", "Bitrate is equivalent: {} kbit/s", [signed(statistics.mean(steered[0]), 1)]
    yield "steering.md", "The time stalled is {} % without it and {} points", [
        f"{usual:.2f}", signed(statistics.mean(steered[1]), 2)]
    yield "steering.md", "more on each of the {} networks that differ, p = {}", [
        {6: "six"}[sum(each > 0 for each in steered[1])], f"{signed_rank(steered[1]):.3f}"]
    for name, policy in (("steering-dvl", "rtt-ratio"), ("steering-limited", "rtt-ratio")):
        found = mean_difference(name, BITRATE, {"steering": policy}, {"steering": "browser"}, transport="h3-racing")
        yield first, "{} kbit/s (", [signed(found, 1)]
    (steady, _), (wild, pairs) = gate("fcc"), gate("np2b")
    yield "gate.md", "differ by {} % on FCC and by {} % on NP2b", [f"{steady:.1f}", f"{wild:.1f}"]
    far = sum(abs(a / b - 1) > 0.1 for a, b in pairs)
    yield "gate.md", "by more than 10 % in {} of {} pairs", [far, len(pairs)]


def sentences_of_means():
    thesis, racing = "papers/2018-advanced-transport.md", "papers/2024-racing.md"
    wait = "wait after seek, ms"
    yield thesis, "The means are {} s over h2 and {} s over h3, and {} to {} s by network.", [
        *means("seeks", wait, "h2 h3-only", 2, 1000), *reach("seeks", wait, 1000)]
    yield thesis, "Bitrate ({} and {} kbit/s) and rebuffer rate ({} and {} %) hardly differ.", [
        *means("seeks", BITRATE, "h2 h3-only"), *means("seeks", STALL, "h2 h3-only", 2)]
    large, typical = ({"network": f"np2b-{each}"} for each in ("large-delay-large-loss", "typical-delay-typical-loss"))
    equal, own = "2018-thesis-table-10", "2018-thesis-table-10-own-senders"
    yield thesis, "QUIC plays {} kbit/s, and h1 and h2 play {} kbit/s.", means(equal, BITRATE, "h3-only h1", **large)
    yield thesis, "less than h2 ({} against {} % of the time).", means(equal, STALL, "h3-only h2", 1, **large)
    yield thesis, "({} against {} and {} kbit/s) and hardly stalls ({} %)", [
        *means(own, BITRATE, "h3-only h1 h2", **large), *means(own, STALL, "h3-only", 1, **large)]
    leads = [statistics.mean(by_transport(name, BITRATE, **large)) for name in (own, equal)]
    yield thesis, "({} kbit/s, against {} kbit/s with equal senders)", [f"{each:.0f}" for each in leads]
    ahead = statistics.mean(by_transport(own, BITRATE, second="h2", **typical))
    yield thesis, "QUIC is {} kbit/s above h2 ({} %). This difference exists in each of {} pairs", [
        f"{ahead:.0f}", f"{100 * ahead / float(means(own, BITRATE, 'h2', 9, **typical)[0]):.2f}",
        {10: "ten"}[sum(each > 0 for each in by_transport(own, BITRATE, second="h2", **typical))]]
    for transport in ("h1", "h2", "h3-only"):
        yield thesis, f"| {transport[:2]} | {{}} | ", means("split", BITRATE, transport, ranges="1")
    split = [reach("split", BITRATE, decimals=0, transport="h1", ranges=count, network=f"constant-{path}")[0]
             for path in ("1611-rtt-267-loss-2-96", "3727-rtt-131-loss-2-66") for count in ("1", "6")]
    yield thesis, "it plays {} kbit/s at 267 ms and 3.0 % of losses, with six ranges {}; at 131 ms and 2.7 % {} and {}.", split
    buffer, arms = "2018-thesis-tables-8-9-buffer", ("h1", "h2", "h3-only")
    yield thesis, "**QUIC plays {} kbit/s more than h1, on each of the twelve networks, and h2 {} more", [
        f"{statistics.mean(by_transport(buffer, BITRATE, first=each)):.0f}" for each in ("h3-only", "h2")]
    yield thesis, "{} s over h1, {} s over h2 and {} s over h3** (means of `time to recover`; by network {} to {}, {} to {} and {} to {} s)", [
        *means(buffer, "time to recover, ms", "h1 h2 h3-only", 1, 1000),
        *(end for each in arms for end in reach(buffer, "time to recover, ms", 1000, transport=each))]
    stalled = "rebuffer time, ms"
    yield thesis, "{} s a session on average ({} to {} s), against {} s over h2 and {} s over h3", [
        *means(buffer, stalled, "h1", 1, 1000), *reach(buffer, stalled, 1000, 0, transport="h1"),
        *means(buffer, stalled, "h2 h3-only", 1, 1000)]
    yield thesis, "{}, {} and {} s on average, and never above", means(buffer, "buffer level, ms", "h1 h2 h3-only", 1, 1000)
    yield racing, "Chromium plays {} kbit/s over QUIC, and {} kbit/s over TCP", means(
        "2024-racing-limiter", BITRATE, "h3-racing h2")
    yield racing, "{} s per window with `h3-racing`, {} s with `h3-only`, and none with `h2`", means(
        "2024-racing-limiter-drawn", "stall per window, s", "h3-racing h3-only", 2)
    throughputs = [statistics.mean(values("2019-parameters-table-4", "throughput, kbit/s",
                                          controllers=f"tcp=cubic:quic=cubic-x{count}").values()) for count in (2, 6, 10)]
    yield "papers/2019-quic-parameters.md", "Two, six and ten have {}, {} and {} kbit/s", [f"{each:.0f}" for each in throughputs]
    joins = [differences("2017-deployment-table-1", "join time, ms", {"transport": "h1"}, {"transport": "h3-racing"}, network=network)
             for network in ("constant-10mbps", "wifi", "lte", "3g")]
    yield "papers/2017-quic-deployment.md", "the join time is shorter by {}, {}, {} and {} ms", [
        f"{statistics.mean(each):.0f}" for each in joins]


def main():
    found = [*sentences(), *sentences_of_means()]
    wrong = 0
    for page, piece, numbers in found:
        text = re.sub(r"\s+", " ", (ROOT / "research" / page).read_text())
        said = piece.format(*numbers)
        wrong += said not in text
        print(f"{page}: {said}: {'agrees' if said in text else 'NOT ON THE PAGE'}")
    sys.exit(print(f"{len(found) - wrong} of {len(found)} agree") or wrong > 0)


if __name__ == "__main__":
    main()
